"""The tool rounds of one run: store the calls, run them, answer them; some wait for approval."""

from collections import deque
from collections.abc import Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from functools import partial

from django.conf import settings

from agents.mcp import Offer
from agents.mcp.calls import is_readable
from agents.snapshot import AgentSnapshot
from agents.tools import ToolContext, ToolResult, needs_approval, refused
from chatapp.databases.threads import in_database, repeatable, to_its_end, unlocked
from chatapp.generation import events, records
from chatapp.generation.tools import dispatch, other_agents
from chatapp.generation.tools.dispatch import ToolWork, known_result, run_tool, side_by_side
from chatapp.live.event_stream import EventStream
from chatapp.llm.errors import ProviderError
from history.core.transcript.messages import ToolCall
from history.models import ApprovalKind, Generation, GenerationStatus
from history.services.answers import lifecycle as stored
from history.services.answers.approval_log import Approval, refusal, with_words
from history.services.answers.approvals import decided_calls
from history.services.answers.lifecycle import Fenced
from history.services.answers.so_far import Reply
from history.services.planning.context_texts import offer_of

BEGUN_BEFORE = "It is unknown whether this ran: it was begun once before. It is not repeated."
TAKEN_AWAY = "{} was approved, but this agent no longer has it. It was not run."


class WaitsForApproval(Exception):
    """The round has calls that a person must decide about; everything else in it is done."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """A step's tools: the agent's own, and those that its MCP servers offer. It is `alone` if
    another agent delegated the task, so that no person looks on.
    """

    step: int
    agent: AgentSnapshot
    context: ToolContext
    offer: Offer
    alone: bool

    @property
    def names(self) -> list[str]:
        return [*self.agent.tools, *other_agents.tool_names(self.agent)]

    def needs_approval(self, call: ToolCall) -> bool:
        """Return whether a person must approve the call before it runs. In a delegated task nobody
        can approve it, so the tool refuses.
        """
        if self.alone:
            return False
        if offered := self.offer.find(call.name):
            return offered.needs_approval and is_readable(call.arguments)
        if call.name not in self.names:
            return False
        return needs_approval(call.name, call.arguments, self.context)


class ToolLoop:
    """The tool rounds of one generation. `open` are the stored calls that need no approval and have
    no result yet.
    """

    def __init__(
        self, generation: Generation, stream: EventStream, running: other_agents.GenerationStarter
    ) -> None:
        self.generation = generation
        self.running = running
        self.stream = stream
        self.open: deque[ToolCall] = deque()

    async def toolbox(self, step: int) -> Toolbox:
        agent = self.generation.snapshot_at(step).agent
        context = await dispatch.context_of(self.generation)
        alone = await repeatable(records.is_delegated, self.generation)
        return Toolbox(step, agent, context, await repeatable(offer_of, agent), alone)

    async def store(
        self, step: int, reply: Reply, calls: Sequence[ToolCall], questions: records.CallsToApprove
    ) -> None:
        """Store the model's request for tools, and show its calls."""
        stored_calls = await repeatable(
            records.store_calls, self.generation, step, reply, calls, questions
        )
        places = questions.places
        self.open.extend(call for place, call in enumerate(stored_calls) if place not in places)
        cards = await repeatable(events.call_cards, self.generation, stored_calls)
        self.stream.emit("calls", **cards)

    async def run(self, calls: Sequence[ToolCall], box: Toolbox, note: str) -> None:
        """Run the calls that need no approval: the open calls, as the model wrote them."""
        left = settings.HAND_OVERS + 1 - len(self.generation.parts)
        moves = other_agents.transfer_results(calls, box.agent, left)
        stored_calls = tuple(self.open)
        others = other_agents.delegations(calls, self.generation, stored_calls, self.running)
        others |= {call: partial(known_result, result) for call, result in moves.items()}
        running = dispatch.results_of(calls, box.names, box.context, box.offer, others)
        async with aclosing(running) as results:
            async for result in results:
                is_last = len(self.open) == 1
                noted = replace(result, text=with_words(result.text, note if is_last else "", "\n"))
                await to_its_end(self._store_open(box.step, noted))
        if other_agents.is_exhausted(moves, left):
            why = other_agents.too_many_hand_overs(self.generation)
            raise ProviderError("hand_over_limit", why)

    async def resume(self, step: int) -> None:
        """Run approved calls side by side, and answer refused ones."""
        decided = await repeatable(decided_calls, self.generation)
        box = await self.toolbox(step)
        works = [self._work(call, approval, box) for call, approval in decided]
        async with aclosing(side_by_side(works)) as results:
            for call, approval in decided:
                result = await anext(results)
                noted = replace(result, text=with_words(result.text, approval.note, "\n"))
                await to_its_end(self._store(step, call, noted))

    def _work(self, call: ToolCall, approval: Approval, box: Toolbox) -> ToolWork:
        if approval.was(ApprovalKind.APPROVED):
            return partial(self._approved, call, box)
        return partial(known_result, ToolResult(refusal(approval), failed=True))

    async def _approved(self, call: ToolCall, box: Toolbox) -> ToolResult:
        if not await repeatable(records.still_has, box.agent.slug, call.name, box.offer):
            return refused(TAKEN_AWAY.format(call.name))
        if not await to_its_end(unlocked(stored.begin, self.generation, call)):
            return ToolResult(BEGUN_BEFORE, failed=True)
        await self._show("call", call)
        return await run_tool(call, box.names, replace(box.context, approved=True), box.offer)

    async def _store_open(self, step: int, result: ToolResult) -> None:
        """Store a result, even if it cannot be shown."""
        call = self.open[0]
        await repeatable(records.store_result, self.generation, step, call, result)
        self.open.popleft()
        await self._show("result", call)

    async def _store(self, step: int, call: ToolCall, result: ToolResult) -> None:
        await repeatable(records.store_result, self.generation, step, call, result)
        await self._show("result", call)

    async def _show(self, kind: str, call: ToolCall) -> None:
        self.stream.emit(kind, **await repeatable(events.call_card, self.generation, call.id))

    async def answer_open(self, status: GenerationStatus) -> None:
        """Answer all calls that still have no result, because providers require one."""
        if not self.open:
            return
        with suppress(Fenced):
            await in_database(records.store_unanswered, self.generation, self.open, status)
            self.open.clear()
