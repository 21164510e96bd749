"""Calls that reach other agents: they delegate a task, or hand the conversation over.

A delegated task runs to its end like any answer; its text is the call's result. In one round the
first possible transfer wins; further ones get a result that says why not. The other calls of the
round run as usual, with the tools of the agent that made them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from agents.networks.agent_tools import Delegate, Transfer, line
from agents.snapshot import AgentSnapshot
from agents.tools import ToolResult, refused, shortened
from agents.tools.arguments import ArgumentsRefused
from chatapp.databases.threads import in_database, repeatable
from chatapp.generation.tools.dispatch import ToolWork
from history.core.transcript.messages import ToolCall
from history.models import Generation
from history.services.answers.delegating import answer_to, delegate
from history.services.errors import Refused

LONGEST = 50_000  # The most characters of an answer that the asking agent gets.
ENDED = _(
    "The agents passed this question on {n} times without answering, the most that this server"
    " allows: {path}. Ask one of them directly."
)


@dataclass(frozen=True, slots=True)
class GenerationStarter:
    """The functions that begin a generation in this process, and that end it early."""

    begin: Callable[[Generation], asyncio.Task[None]]
    stop: Callable[[Generation], Awaitable[None]]


def tool_names(agent: AgentSnapshot) -> list[str]:
    """Return the names of the tools by which the agent reaches others."""
    return [each.tool for each in (*agent.asks, *agent.transfers)]


def delegations(
    calls: Sequence[ToolCall],
    parent: Generation,
    stored_calls: Sequence[ToolCall],
    running: GenerationStarter,
) -> dict[str, ToolWork]:
    """Return the work of calls that delegate, by the calls' ids. `stored_calls` are the same calls
    with the ids that they have in the transcript.
    """
    offered = {delegate.tool: delegate for delegate in parent.snapshot_at().agent.asks}
    return {
        call.id: partial(_delegated, parent, stored_call, offered[call.name], running)
        for call, stored_call in zip(calls, stored_calls, strict=True)
        if call.name in offered
    }


async def _delegated(
    parent: Generation, call: ToolCall, whom: Delegate, running: GenerationStarter
) -> ToolResult:
    """Run a delegated task; whatever ends the asking answer ends it too."""
    try:
        task = whom.arguments.read(call.arguments)["task"]
        child = await in_database(delegate, parent, call.id, whom.agent, task)
    except (ArgumentsRefused, Refused) as error:
        return refused(f"{whom.name} was not asked: {error}")
    try:
        async with asyncio.timeout(settings.DELEGATION_SECONDS):
            await asyncio.wait([running.begin(child)])
    except TimeoutError:
        await running.stop(child)
        return refused(f"{whom.name} took longer than {settings.DELEGATION_SECONDS:g} seconds.")
    except asyncio.CancelledError:
        await running.stop(child)
        raise
    try:
        return ToolResult(shortened(await repeatable(answer_to, child), LONGEST))
    except Refused as error:
        return refused(f"{whom.name} did not answer: {error}")


def transfer_results(
    calls: Sequence[ToolCall], agent: AgentSnapshot, left: int
) -> dict[str, ToolResult]:
    """Return the results of transfers by their calls' ids; `left` transfers may still be made."""
    offered = {transfer.tool: transfer for transfer in agent.transfers}
    results: dict[str, ToolResult] = {}
    won: Transfer | None = None
    for call in calls:
        if transfer := offered.get(call.name):
            result = _transferred(call, transfer, agent.name, won, left)
            won = transfer if result.hands_to else won
            results[call.id] = result
    return results


def _transferred(
    call: ToolCall, transfer: Transfer, before: str, won: Transfer | None, left: int
) -> ToolResult:
    if won:
        return refused(f"not handed over: {won.name} has already taken over.")
    if left < 1:
        return refused("not handed over: too many hand-overs in this turn.")
    try:
        reason = transfer.arguments.read(call.arguments)["reason"]
    except ArgumentsRefused as error:
        return refused(f"not handed over: {error}")
    return ToolResult(line(before, transfer.name, reason), hands_to=transfer.agent)


def is_exhausted(results: Mapping[str, ToolResult], left: int) -> bool:
    """Whether the round asked for a hand-over, though none is left."""
    return bool(results) and left < 1


def too_many_hand_overs(generation: Generation) -> str:
    """Explain why an answer with too many hand-overs ended."""
    names = [part.agent.name for part in generation.parts]
    return ENDED.format(n=len(names) - 1, path=" → ".join(names))
