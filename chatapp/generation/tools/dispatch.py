"""Run the calls of one round side by side in threads, each with its tool's timeout.

Whatever goes wrong becomes a result that says so, so that every call has one.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TypeAlias

from agents.mcp import NO_OFFER, Offer, OfferedTool
from agents.mcp.calls import is_readable
from agents.networks.agent_tools import Delegate, Transfer
from agents.tools import (
    TOOLS,
    UNASKED,
    FoundMessage,
    ToolContext,
    ToolResult,
    call,
    refused,
)
from chatapp.databases.threads import in_database, repeatable
from chatapp.generation.reading.calls import MOST_CALLS
from chatapp.generation.tools import mcp_sessions
from chatapp.limits.fair_pool import FairPool
from chatapp.limits.shared_places import TOOL_CALLS
from chatapp.telemetry import measuring, spans
from chatapp.uploads.results import with_safe_images
from history.core.transcript.messages import ToolCall
from history.models import Generation
from history.services.access import Actor
from history.services.search import recall

ToolWork: TypeAlias = Callable[[], Awaitable[ToolResult]]
AGENTS = (Transfer.prefix, Delegate.prefix)  # Prefixes of tools that reach agents.
NOBODY_ASKED = f"{{}} needs approval, and {UNASKED}"
AT_ONCE = 8  # The most calls of one round that run side by side.
UNKNOWN = "unknown"  # The span's name for a tool that this agent lacks.
NO_OTHERS: Mapping[str, ToolWork] = {}


threads: FairPool[ToolResult] = FairPool(TOOL_CALLS)


def results_of(
    calls: Sequence[ToolCall],
    allowed: Sequence[str],
    context: ToolContext,
    offer: Offer = NO_OFFER,
    others: Mapping[str, ToolWork] = NO_OTHERS,
) -> AsyncGenerator[ToolResult, None]:
    """Run calls, and yield their results in order.

    `allowed` are the agent's own tools, and `offer` has those of its MCP servers. `others` maps the
    ids of calls to work that is done instead of running a tool. A call's `arguments` are the text
    that the model wrote. Closing the generator abandons the calls that still run.
    """
    run = partial(_run, allowed=allowed, context=context, offer=offer)
    works = [
        partial(_measured, each, allowed, offer, others.get(each.id, partial(run, each)))
        for each in calls
    ]
    return side_by_side(works)


async def side_by_side(works: Sequence[ToolWork]) -> AsyncGenerator[ToolResult, None]:
    """Yield results in order. Closing the generator abandons what still runs."""
    room = asyncio.Semaphore(AT_ONCE)
    tasks = [asyncio.create_task(_in_turn(room, work)) for work in works]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _measured(
    tool_call: ToolCall, allowed: Sequence[str], offer: Offer, work: ToolWork
) -> ToolResult:
    """Run a call with a span of its own, which does not show a name that the model made up."""
    is_known = tool_call.name in allowed or offer.find(tool_call.name)
    with spans.tool(tool_call.name if is_known else UNKNOWN, tool_call.id) as span:
        result = await timed(work)
        if result.failed:
            span.fail("tool_failed")
    measuring.tool_ended(failed=result.failed, milliseconds=result.took_ms or 0)
    return result


async def timed(work: ToolWork) -> ToolResult:
    """Run the work, and add to its result how long it took."""
    started = perf_counter()
    result = await work()
    return replace(result, took_ms=round((perf_counter() - started) * 1000))


async def known_result(result: ToolResult) -> ToolResult:
    """Return the result, as the work of a call whose result is known already."""
    return result


async def _in_turn(room: asyncio.Semaphore, work: ToolWork) -> ToolResult:
    async with room:
        return await work()


async def run_tool(
    tool_call: ToolCall, allowed: Sequence[str], context: ToolContext, offer: Offer = NO_OFFER
) -> ToolResult:
    """Run a tool, and measure how long it takes."""
    run = partial(_run, tool_call, allowed, context, offer)
    return await _measured(tool_call, allowed, offer, run)


async def _run(
    tool_call: ToolCall, allowed: Sequence[str], context: ToolContext, offer: Offer
) -> ToolResult:
    if elsewhere := offer.find(tool_call.name):
        return await _run_elsewhere(elsewhere, tool_call, context)
    if tool_call.name not in allowed or tool_call.name not in TOOLS:
        names = (name for name in allowed if name in TOOLS or name.startswith(AGENTS))
        tools = _named([*names, *offer.names])
        return refused(f"there is no tool named {tool_call.name} here; {tools}.")
    return await _run_own(tool_call, context)


async def _run_elsewhere(
    tool: OfferedTool, tool_call: ToolCall, context: ToolContext
) -> ToolResult:
    if tool.needs_approval and not context.approved and is_readable(tool_call.arguments):
        return refused(NOBODY_ASKED.format(tool.name))
    return await with_safe_images(await mcp_sessions.call(tool, tool_call.arguments))


async def _run_own(tool_call: ToolCall, context: ToolContext) -> ToolResult:
    tool = TOOLS[tool_call.name]
    timeout = tool.timeout
    running = threads.submit(partial(call, tool_call.name, tool_call.arguments, context))
    try:
        async with asyncio.timeout(timeout):
            return await asyncio.wrap_future(running)
    except TimeoutError:
        if running.cancel():
            return refused(f"{tool_call.name} was not run: too many other tools are still running.")
        late = f"{tool_call.name} took longer than {timeout:g} seconds."
        return refused(f"{late} It may still be running." if tool.needs_approval else late)


def note_of(left_out: int) -> str:
    """Say, for a round's last result, that there were more calls than allowed; empty if not."""
    if not left_out:
        return ""
    return f"[{left_out:,} further calls were left out: a round has at most {MOST_CALLS}.]"


def _named(names: Sequence[str]) -> str:
    return f"the tools are {', '.join(names)}" if names else "this agent has no tools"


async def context_of(generation: Generation) -> ToolContext:
    """Make the context for a generation's tools, whose threads don't use the database
    themselves.
    """
    # The owner's audience: nobody else sends to a conversation.
    audience = await repeatable(lambda: Actor(generation.conversation.owner).audience)
    return ToolContext(audience, partial(_search, asyncio.get_running_loop(), generation))


def _search(
    loop: asyncio.AbstractEventLoop, generation: Generation, query: str, most: int
) -> Sequence[FoundMessage]:
    searching = in_database(recall, generation.branch, generation.turn, query, most)
    return asyncio.run_coroutine_threadsafe(searching, loop).result()
