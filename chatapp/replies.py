"""What one request brings back, gathered while it streams."""

from typing import Any

from chatapp import llm
from chatapp.tool_calls import CallAssembler
from history.core.messages import ToolCall


class Reply:
    """Text, calls, the end and the usage: each only as the provider really reported it."""

    def __init__(self) -> None:
        self.text = ""
        self._calls = CallAssembler()
        self._finish = ""
        self._usage: dict[str, int] | None = None
        self._first_token_ms: float | None = None

    def take(self, chunk: llm.Chunk, seconds: float) -> str:
        """Keep a chunk that came after so many seconds; the text of it, if it is text."""
        if self._first_token_ms is None:
            self._first_token_ms = round(seconds * 1000, 2)
        match chunk:
            case llm.TextDelta(text):
                self.text += text
                return text
            case llm.CallDelta():
                self._calls.add(chunk)
            case llm.Finish(reason):
                self._finish = reason or ""
            case llm.Usage():
                self._usage = chunk.as_dict()
        return ""

    def calls(self) -> tuple[ToolCall, ...]:
        return self._calls.calls()

    def outcome(
        self, seconds: float, attempts: int, error: dict[str, Any] | None
    ) -> dict[str, Any]:
        """The fields of a `RequestOutcome`."""
        return {
            "finish_reason": self._finish,
            "usage": self._usage,
            "attempts": attempts,
            "first_token_ms": self._first_token_ms,
            "total_ms": round(seconds * 1000, 2),
            "error": error,
        }
