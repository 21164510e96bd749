"""Collect what a provider sends in answer to one request, while it streams."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from chatapp.generation.reading.calls import CallAssembler
from chatapp.generation.reading.thoughts import Thoughts
from chatapp.llm.chunks import CallDelta, Chunk, Finish, ReportedUsage, TextDelta
from chatapp.llm.errors import ProviderError
from chatapp.llm.reasoning.deltas import ReasoningDelta
from chatapp.llm.retries import Attempts
from chatapp.llm.streams.comparing import compared
from history.core.transcript.bond import Bond
from history.core.transcript.parts import Reasoning
from history.core.wire.streamed import StreamCounts
from history.core.words.storable import storable
from history.services.answers.so_far import NOTHING, Reply

TOO_LONG = _(
    "The answer reached this server's size limit and was cut off here. The text so far was kept."
)
LONGEST_REASON = 40


class Response:
    """What a provider sent in answer to one request: reasoning, text, calls, finish reason, usage.

    `room` is how many more bytes of text, reasoning and providers' fields are accepted. `family`
    names the models that accept the reasoning back, `bond` what the reasoning is bound to, if
    anything. `seen` is what another process has read of the same answer, None if no other has.
    """

    def __init__(
        self,
        room: int,
        family: str = "",
        bond: Bond | None = None,
        seen: Reply | None = None,
    ) -> None:
        self.has_begun = False
        self._limit = room
        self._seen = seen or NOTHING
        self._is_first = seen is None
        self._first_token_ms: float | None = None
        self._begin(Thoughts(family, bond))

    def _begin(self, thoughts: Thoughts) -> None:
        self.room = self._limit
        self.thoughts = thoughts
        self.assembler = CallAssembler()
        self._texts: list[str] = []
        self._length = 0
        self._finish = ""
        self._usage: ReportedUsage | None = None

    def start_over(self) -> None:
        """Drop all that was read, because the same answer is read again from its start."""
        self._seen = self.said
        self._begin(self.thoughts.again())

    @property
    def text(self) -> str:
        return "".join(self._texts)

    @property
    def reasoning(self) -> tuple[Reasoning, ...]:
        """What the model thought, with the tokens that its provider reported, if it did."""
        return self.thoughts.parts((self._usage and self._usage.reasoning) or 0)

    @property
    def said(self) -> Reply:
        """All that was read until now, or before that."""
        read = Reply(self.text, self.reasoning)
        return read if read.size >= self._seen.size else self._seen

    def take(self, chunk: Chunk, seconds: float) -> str:
        """Keep a chunk that came after this many seconds; return its text, if any.

        Raise `ProviderError` if the chunk exceeds the room that is left.
        """
        if not self.has_begun and self._is_first:
            self._first_token_ms = round(seconds * 1000, 2)
        self.has_begun = True
        self.thoughts.note(chunk, seconds)
        match chunk:
            case ReasoningDelta():
                self._take_room(self.thoughts.growth(chunk))
                self.thoughts.add(chunk, self._length)
            case TextDelta(text):
                return self._keep(text)
            case CallDelta():
                self._take_room(self.assembler.growth(chunk))
                self.assembler.add(chunk)
            case Finish(reason):
                self._finish = reason or ""
            case ReportedUsage():
                self._usage = chunk
        return ""

    def _keep(self, text: str) -> str:
        self._take_room(len(text.encode("utf-8", "surrogatepass")))
        self._texts.append(text)
        self._length += len(text)
        return text

    def _take_room(self, size: int) -> None:
        if size > self.room:
            raise ProviderError("too_long", str(TOO_LONG))
        self.room -= size

    def outcome(
        self, seconds: float, attempts: Attempts, error: dict[str, Any] | None
    ) -> dict[str, Any]:
        """Return the fields of a `RequestOutcome`."""
        comparison = self._streamed(attempts)
        return {
            "finish_reason": storable(self._finish)[:LONGEST_REASON],
            "usage": self._usage.as_dict() if self._usage else None,
            "attempts": attempts.made,
            "first_token_ms": self._first_token_ms,
            "total_ms": round(seconds * 1000, 2),
            "error": error,
            "streamed": comparison.as_dict() if comparison else None,
        }

    def _streamed(self, attempts: Attempts) -> StreamCounts | None:
        calls, is_whole = self.assembler.calls(), bool(self._finish)
        return compared(attempts, self.text, self.reasoning, calls, is_whole=is_whole)
