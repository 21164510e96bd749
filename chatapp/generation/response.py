"""Send one request, and collect what it returns while it streams.

Tool calls are assembled from pieces, in whatever order and shape a provider sends them.
"""

import asyncio
import re
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Any

from django.utils.translation import gettext_lazy as _

from chatapp.databases.threads import repeatable
from chatapp.generation.records import PreparedStep
from chatapp.generation.thoughts import Thoughts, new_in, size_of
from chatapp.generation.usage import settle
from chatapp.live.event_stream import EventStream
from chatapp.llm import client
from chatapp.llm.chunks import CallDelta, Chunk, Finish, ReportedUsage, TextDelta
from chatapp.llm.errors import ProviderError
from chatapp.llm.reasoning.deltas import ReasoningDelta
from chatapp.llm.retries import Attempts
from chatapp.llm.streams.comparing import compared
from chatapp.telemetry import spans
from history.core.transcript.bond import Bond
from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import Reasoning
from history.core.wire.streamed import StreamCounts
from history.core.words.storable import storable
from history.services.answers.so_far import Reply

TOO_LONG = _(
    "The answer reached this server's size limit and was cut off here. The text so far was kept."
)
LONGEST_REASON = 40
MOST_CALLS = 64
LONGEST_ARGUMENTS = 200_000  # Twice what a tool accepts, so that the tool itself refuses it.


class Response:
    """What a provider sent in answer to one request: reasoning, text, calls, finish reason, usage.

    `room` is how many more bytes of text, reasoning and providers' fields are accepted. `family`
    names the models that accept the reasoning back, `bond` what the reasoning is bound to, if
    anything.
    """

    def __init__(self, room: int, family: str = "", bond: Bond | None = None) -> None:
        self.room = room
        self.thoughts = Thoughts(family, bond)
        self._texts: list[str] = []
        self._length = 0
        self.assembler = CallAssembler()
        self._finish = ""
        self._usage: ReportedUsage | None = None
        self._first_token_ms: float | None = None

    @property
    def text(self) -> str:
        return "".join(self._texts)

    @property
    def reasoning(self) -> tuple[Reasoning, ...]:
        """What the model thought, with the tokens that its provider reported, if it did."""
        return self.thoughts.parts((self._usage and self._usage.reasoning) or 0)

    @property
    def said(self) -> Reply:
        return Reply(self.text, self.reasoning)

    @property
    def has_begun(self) -> bool:
        return self._first_token_ms is not None

    def take(self, chunk: Chunk, seconds: float) -> str:
        """Keep a chunk that came after this many seconds; return its text, if any.

        Raise `ProviderError` if the chunk exceeds the room that is left.
        """
        if self._first_token_ms is None:
            self._first_token_ms = round(seconds * 1000, 2)
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


async def send_request(prepared: PreparedStep, response: Response, stream: EventStream) -> None:
    """Send one request and stream it to the viewers; its outcome is always stored.

    Raise `ProviderError`. However the request ends, `response` has all that was said until then.
    """
    started, error, attempts = perf_counter(), None, Attempts()
    with spans.request(prepared.request.model) as span:
        try:
            async with aclosing(client.stream(prepared.request, attempts=attempts)) as chunks:
                async for chunk in chunks:
                    _take(chunk, perf_counter() - started, response, stream)
        except ProviderError as refusal:
            error = {"kind": refusal.kind, "message": refusal.message, "left": refusal.left}
            raise
        finally:
            with suppress(ProviderError):  # It only reports that the answer is full.
                for chunk in attempts.held():
                    _take(chunk, perf_counter() - started, response, stream)
            outcome = response.outcome(perf_counter() - started, attempts, error)
            span.note(spans.of_outcome(outcome))
            settling = repeatable(settle, prepared.record, outcome, response.said, attempts.sent)
            await asyncio.shield(settling)


def _take(chunk: Chunk, seconds: float, response: Response, stream: EventStream) -> None:
    """Keep a chunk, and pass it on to the viewers."""
    response.take(chunk, seconds)
    if response.thoughts.ends_with(chunk):
        stream.emit("thought", ms=response.thoughts.took_ms)
    match chunk:
        case TextDelta(text):
            stream.text(text)
        case ReasoningDelta(text):
            stream.thinking(text)


@dataclass(slots=True)
class _Pieces:
    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    length: int = 0
    fields: dict[str, Any] = field(default_factory=dict)

    def add(self, delta: CallDelta) -> None:
        self.id = self.id or delta.id
        self.name = self.name or delta.name
        self.fields.update(delta.fields)
        piece = delta.arguments[: LONGEST_ARGUMENTS - self.length]
        self.length += len(piece)
        self.arguments.append(piece)


class CallAssembler:
    """Puts tool calls together: `add` each piece, then read `calls()`.

    A piece belongs to the newest call of its index. A piece with another id begins a new call,
    because some servers number every call 0. Missing and duplicate ids are replaced by `prefix` and
    a number. `left_out` counts the calls beyond the 64th, which are dropped.
    """

    def __init__(self, prefix: str = "call") -> None:
        self.left_out = 0
        self._prefix = prefix
        self._pieces: list[_Pieces] = []
        self._open: dict[int, _Pieces] = {}

    def growth(self, delta: CallDelta) -> int:
        """Return how many bytes a piece would add, not counting its arguments, which have a limit
        of their own.
        """
        pieces = self._newest(delta)
        fields = {"id": pieces.id, **pieces.fields} if pieces else {}
        return size_of(new_in({"id": delta.id, **delta.fields}, fields))

    def add(self, delta: CallDelta) -> None:
        pieces = self._newest(delta)
        if pieces is None:
            pieces = self._open[delta.index] = self._opened(delta)
        pieces.add(delta)

    def _newest(self, delta: CallDelta) -> _Pieces | None:
        """Return the call that goes on with this piece, if any does."""
        pieces = self._open.get(delta.index)
        opens = pieces and delta.id and pieces.id and delta.id != pieces.id
        return None if opens else pieces

    def calls(self) -> tuple[ToolCall, ...]:
        """Return the calls in the order in which they began, each with an id of its own."""
        ids: set[str] = set()
        return tuple(self._call(number, pieces, ids) for number, pieces in enumerate(self._pieces))

    def _opened(self, delta: CallDelta) -> _Pieces:
        pieces = _Pieces(delta.id)
        if len(self._pieces) < MOST_CALLS:
            self._pieces.append(pieces)
        else:
            self.left_out += 1
        return pieces

    def _call(self, number: int, pieces: _Pieces, ids: set[str]) -> ToolCall:
        call_id = pieces.id.strip()
        own_ids = (f"{self._prefix}_{n}" for n in count(number))
        while not call_id or call_id in ids:
            call_id = next(own_ids)
        ids.add(call_id)
        arguments = "".join(pieces.arguments)
        return ToolCall(call_id, _sendable(pieces.name), arguments, fields=pieces.fields)


def _sendable(name: str) -> str:
    """Return a valid name: providers reject transcripts with invalid ones, even if a model made
    them up.
    """
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "unnamed"
