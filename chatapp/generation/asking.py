"""Make the requests of one generation, step by step."""

from typing import Any

from django.conf import settings

from chatapp.databases.threads import in_database, repeatable
from chatapp.generation import records
from chatapp.generation.ending import still_too_long
from chatapp.generation.model_request import ModelRequest
from chatapp.generation.reading.response import Response
from chatapp.generation.records import PreparedStep, Progress, UnfinishedStep
from chatapp.live.event_stream import EventStream
from chatapp.llm.errors import ErrorKind, ProviderError
from chatapp.llm.providers.background import forget
from chatapp.llm.reasoning.families import family_of
from chatapp.telemetry import spans
from history.models import Generation
from history.services.answers import background
from history.services.answers.so_far import NOTHING
from history.services.planning.planning import TIGHTER


class AnswerGone(Exception):
    """The provider no longer has the answer that it went on with."""


class Requests:
    """The requests of one generation. `unstored` is the model's output that no message contains
    yet.

    If it `leaves`, an answer that its provider `goes_on` with is left to another process.
    """

    def __init__(self, generation: Generation, stream: EventStream) -> None:
        self.generation = generation
        self.stream = stream
        self.unstored = NOTHING
        self.leaves = self.goes_on = False
        self.were_in_background = False
        self._room = settings.MAX_ANSWER_BYTES  # Bytes that responses may still return.
        self._percent = 100  # How much of the token budget a request may use.

    @property
    def is_left(self) -> bool:
        return self.leaves and self.goes_on

    def note_unfinished(self) -> None:
        """Note that an earlier process has asked, and that the provider goes on with the answer."""
        self.goes_on = self.were_in_background = True

    def go_on_from(self, progress: Progress) -> None:
        self._percent = progress.percent
        self._room = max(0, self._room - progress.bytes)

    async def ask(self, step: int) -> tuple[int, Response]:
        """Run a step; if the provider finds it too long, run the next one with a tighter budget.

        That happens once in a generation; later steps keep to the tighter budget.
        """
        prepared = await self._planned(step)
        response = Response(self._room, family_of(prepared.request.model), prepared.bond)
        try:
            await self._run(ModelRequest(prepared, response, self.stream))
            return step, response
        except ProviderError as refusal:
            if refusal.kind != ErrorKind.CONTEXT_TOO_LONG or response.has_begun:
                raise
            if self._percent == TIGHTER:
                raise still_too_long(self.generation, TIGHTER) from refusal
        self._percent = TIGHTER
        return await self.ask(step + 1)

    async def read_again(self, unfinished: UnfinishedStep) -> Response:
        """Read an answer from its start that its provider goes on with. Raise `AnswerGone`."""
        prepared, seen = unfinished.prepared, unfinished.seen
        self.stream.go_on_with(unfinished.pieces, "".join(part.text for part in seen.reasoning))
        family = family_of(prepared.request.model)
        response = Response(self._room, family, prepared.bond, seen)
        if unfinished.thought_ms is not None:
            response.thoughts.ended(unfinished.thought_ms)
        try:
            await self._run(ModelRequest(prepared, response, self.stream, unfinished.response))
        except ProviderError as refusal:
            if response.has_begun:
                raise
            raise AnswerGone from refusal
        return response

    async def _planned(self, step: int) -> PreparedStep:
        with spans.plan(step):
            prepared = await repeatable(records.prepare_step, self.generation, step, self._percent)
        self.stream.emit("plan", **prepared.event)
        return prepared

    async def _run(self, request: ModelRequest) -> None:
        """Run a request. Its outcome is stored however it ends, unless its answer is left to
        another process.

        Raise `ProviderError`.
        """
        with spans.request(request.model) as span:
            try:
                await request.run()
            finally:  # A request that failed, or was stopped, may have said something.
                request.take_rest()
                self._room, self.unstored = request.response.room, request.response.said
                self.goes_on = request.goes_on
                self.were_in_background |= bool(request.accepted_as)
                if not self.is_left:
                    self.goes_on = False
                    outcome = request.outcome()
                    span.note(spans.of_outcome(outcome))
                    await request.settle(outcome)


async def forget_responses(**which: Any) -> None:
    """Have the provider delete the answers in the background that `which` selects, and end those
    that are not over.
    """
    for each in await in_database(background.to_forget, **which):
        outcome = getattr(each.plan, "outcome", None)
        is_over = outcome is not None and bool(outcome.finish_reason)
        forget(each.plan.parameters["model"], each.response, is_over=is_over)
