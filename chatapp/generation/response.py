"""Collect what one request returns while it streams."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from chatapp.llm.chunks import CallDelta, Chunk, Finish, ReportedUsage, TextDelta
from chatapp.llm.errors import ProviderError
from chatapp.llm.tool_call_assembly import CallAssembler
from history.core.messages import ToolCall
from history.core.storable import storable

TOO_LONG = _(
    "The answer was cut off here, at the limit of MAX_ANSWER_BYTES. The text so far was kept."
)
LONGEST_REASON = 40


class Response:
    """Text, calls, the end and the usage: each only as the provider really reported it.

    `room` is how many more bytes of text it may return.
    """

    def __init__(self, room: int) -> None:
        self.room = room
        self._texts: list[str] = []
        self._calls = CallAssembler()
        self._finish = ""
        self._usage: dict[str, int] | None = None
        self._first_token_ms: float | None = None

    @property
    def text(self) -> str:
        return "".join(self._texts)

    @property
    def has_begun(self) -> bool:
        return self._first_token_ms is not None

    def take(self, chunk: Chunk, seconds: float) -> str:
        """Keep a chunk that came after this many seconds; return its text, if any.

        Raise `ProviderError` for text beyond the limit.
        """
        if self._first_token_ms is None:
            self._first_token_ms = round(seconds * 1000, 2)
        match chunk:
            case TextDelta(text):
                return self._keep(text)
            case CallDelta():
                self._calls.add(chunk)
            case Finish(reason):
                self._finish = reason or ""
            case ReportedUsage():
                self._usage = chunk.as_dict()
        return ""

    def _keep(self, text: str) -> str:
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > self.room:
            raise ProviderError("too_long", str(TOO_LONG))
        self.room -= size
        self._texts.append(text)
        return text

    def calls(self) -> tuple[ToolCall, ...]:
        return self._calls.calls()

    @property
    def left_out(self) -> int:
        """The number of calls beyond the limit."""
        return self._calls.left_out

    def outcome(
        self, seconds: float, attempts: int, error: dict[str, Any] | None
    ) -> dict[str, Any]:
        """Return the fields of a `RequestOutcome`."""
        return {
            "finish_reason": storable(self._finish)[:LONGEST_REASON],
            "usage": self._usage,
            "attempts": attempts,
            "first_token_ms": self._first_token_ms,
            "total_ms": round(seconds * 1000, 2),
            "error": error,
        }
