"""One request to a model and what returns for it, streamed to the viewers."""

import asyncio
from contextlib import aclosing, suppress
from time import perf_counter
from typing import Any

from chatapp.databases.threads import repeatable, to_its_end
from chatapp.generation.reading.response import Response
from chatapp.generation.records import PreparedStep
from chatapp.generation.usage import note_accepted, settle
from chatapp.live.event_stream import EventStream
from chatapp.llm import client
from chatapp.llm.chunks import Accepted, Chunk, TextDelta
from chatapp.llm.errors import ErrorKind, ProviderError
from chatapp.llm.reasoning.deltas import ReasoningDelta
from chatapp.llm.retries import Attempts

LOST = frozenset({ErrorKind.CUT, ErrorKind.UNREACHABLE, ErrorKind.BAD_RESPONSE, ErrorKind.TIMEOUT})
PAUSES = (0.0, 1.0, 3.0)  # Seconds until an answer is read again after its connection was lost.


class ModelRequest:
    """A request and its `response`. `accepted_as` is the provider's id of an answer in the
    background. If it is known from the start, that answer is only read again.
    """

    def __init__(
        self, prepared: PreparedStep, response: Response, stream: EventStream, accepted_as: str = ""
    ) -> None:
        self.response = response
        self.accepted_as = accepted_as
        self.is_over = False
        self._prepared = prepared
        self._stream = stream
        self._attempts = Attempts()
        self._unstored = self._attempts.sent
        self._asked = 1 if accepted_as else 0  # Requests made before the answer was read again.
        self._error: dict[str, Any] | None = None
        self._started = perf_counter() - prepared.age

    @property
    def goes_on(self) -> bool:
        """Whether the provider goes on with the answer, although nobody reads it any more."""
        return bool(self.accepted_as) and not self.is_over

    @property
    def model(self) -> str:
        return self._prepared.request.model

    async def run(self) -> None:
        """Send the request, and take what returns. Raise `ProviderError`.

        If the connection is lost while the provider goes on, its answer is read again.
        """
        again = self.accepted_as
        for pause in (*PAUSES, None):
            try:
                await self._read(again)
                self.is_over = True
                return
            except ProviderError as refusal:
                if pause is None or refusal.kind not in LOST or not self.goes_on:
                    left = refusal.left or self.goes_on
                    fault = {"kind": refusal.kind, "message": refusal.message, "left": left}
                    self._error = fault
                    raise
            await asyncio.sleep(pause)
            again = self.accepted_as
            self._start_over()

    def _start_over(self) -> None:
        self._asked = self._asked or self._attempts.made
        self._attempts.made = 0
        self.response.start_over()
        self._stream.start_over()

    async def _read(self, again: str) -> None:
        request = self._prepared.request
        opening = client.stream(request, attempts=self._attempts, accepted_as=again)
        async with aclosing(opening) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Accepted):
                    await self._note_accepted(chunk.response)
                else:
                    self._take(chunk)

    def take_rest(self) -> None:
        """Take text that was held back when the answer was stopped before its end."""
        with suppress(ProviderError):  # It only reports that the answer is full.
            for chunk in self._attempts.held():
                self._take(chunk)

    def outcome(self) -> dict[str, Any]:
        """Return the fields of a `RequestOutcome`."""
        fields = self.response.outcome(self._seconds, self._attempts, self._error)
        return {**fields, "attempts": self._asked or self._attempts.made}

    async def settle(self, outcome: dict[str, Any]) -> None:
        """Store the outcome, even if this task is cancelled meanwhile."""
        record, reply = self._prepared.record, self.response.said
        fenced = {"only_if_held": bool(self.accepted_as)}
        storing = repeatable(settle, record, outcome, reply, self._unstored, **fenced)
        await asyncio.shield(storing)

    @property
    def _seconds(self) -> float:
        return perf_counter() - self._started

    async def _note_accepted(self, id_: str) -> None:
        if not self.accepted_as:
            self.accepted_as = id_
            await self._stream.show_when_logged()
            record, wires, self._unstored = self._prepared.record, self._unstored, []
            try:
                await to_its_end(repeatable(note_accepted, record, id_, wires))
            except Exception:
                self._unstored = wires
                raise

    def _take(self, chunk: Chunk) -> None:
        """Keep a chunk, and pass it on to the viewers."""
        thoughts = self.response.thoughts
        self.response.take(chunk, self._seconds)
        if thoughts.ends_with(chunk):
            self._stream.emit("thought", ms=thoughts.took_ms)
        match chunk:
            case TextDelta(text):
                self._stream.text(text)
            case ReasoningDelta(text):
                self._stream.thinking(text)
