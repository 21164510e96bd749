"""Delegate a task to another agent: it runs to its end like any answer; its text is the result."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from django.conf import settings

from agents.networks.delegates import ARGUMENTS, Delegate, delegates_in
from agents.tools import ToolResult, refused, shortened
from agents.tools.arguments import ArgumentsRefused
from chatapp.databases.threads import in_database
from history.core.messages import ToolCall
from history.models import Generation
from history.services.answers.delegating import answer_to, delegate
from history.services.errors import Refused

LONGEST = 50_000  # Characters of an answer that the asking agent gets.
ToolWork: TypeAlias = Callable[[], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True)
class GenerationStarter:
    """How to begin a generation of this process, and to end it early."""

    begin: Callable[[Generation], asyncio.Task[None]]
    stop: Callable[[Generation], Awaitable[None]]


def runners(
    asked: Sequence[ToolCall],
    parent: Generation,
    stored: Sequence[ToolCall],
    running: GenerationStarter,
) -> dict[str, ToolWork]:
    """Return runners for calls that delegate, by their ids. `stored` are the same calls, by
    their ids in the transcript.
    """
    agent: Mapping[str, Any] = parent.snapshot_at()["agent"]
    offered = {delegate.tool: delegate for delegate in delegates_in(agent)}
    return {
        call.id: partial(ask, parent, kept, offered[call.name], running)
        for call, kept in zip(asked, stored, strict=True)
        if call.name in offered
    }


async def ask(
    parent: Generation, call: ToolCall, whom: Delegate, running: GenerationStarter
) -> ToolResult:
    """Run a delegated task; whatever ends the asking answer ends it too."""
    try:
        task = ARGUMENTS.read(call.arguments)["task"]
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
    return await _result(child, whom)


async def _result(child: Generation, whom: Delegate) -> ToolResult:
    try:
        return ToolResult(shortened(await in_database(answer_to, child), LONGEST))
    except Refused as error:
        return refused(f"{whom.name} did not answer: {error}")
