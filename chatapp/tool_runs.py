"""The calls of one round: run side by side in threads, each under its tool's timeout.

Whatever goes wrong is a result that says so, so that every call has one.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from functools import partial

from agents.tools import TOOLS, Audience, Found, ToolContext, ToolResult, call, refused
from chatapp.database import in_database
from chatapp.tool_calls import MOST_CALLS
from chatapp.tool_threads import ToolThreads
from history.core.messages import ToolCall
from history.models import Generation
from history.services import recall
from history.services.access import Actor

AT_ONCE = 8  # Of one round.
threads: ToolThreads[ToolResult] = ToolThreads(32)  # Of all conversations together.


async def results_of(
    calls: Sequence[ToolCall], allowed: Sequence[str], context: ToolContext
) -> AsyncGenerator[ToolResult, None]:
    """The results, in the order of the calls; `allowed` are the agent's own tools.

    `arguments` of a call are the text as the model wrote it. Closing it gives up what still runs.
    """
    room = asyncio.Semaphore(AT_ONCE)
    tasks = [asyncio.create_task(_in_turn(room, each, allowed, context)) for each in calls]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _in_turn(
    room: asyncio.Semaphore, asked: ToolCall, allowed: Sequence[str], context: ToolContext
) -> ToolResult:
    async with room:
        return await run_tool(asked, allowed, context)


async def run_tool(asked: ToolCall, allowed: Sequence[str], context: ToolContext) -> ToolResult:
    if asked.name not in allowed or asked.name not in TOOLS:
        return refused(f"there is no tool named {asked.name} here; {_named(allowed)}.")
    timeout = TOOLS[asked.name].timeout
    running = threads.submit(partial(call, asked.name, asked.arguments, context))
    try:
        async with asyncio.timeout(timeout):
            return await asyncio.wrap_future(running)
    except TimeoutError:
        if running.cancel():
            return refused(f"{asked.name} was not run: too many other tools are still running.")
        return refused(f"{asked.name} took longer than {timeout:g} seconds.")


def with_note(result: ToolResult, left_out: int) -> ToolResult:
    """The last result of a round says so, where there were more calls than one may have."""
    if not left_out:
        return result
    note = f"[{left_out:,} further calls were left out: a round has at most {MOST_CALLS}.]"
    return replace(result, text=f"{result.text}\n{note}")


def _named(allowed: Sequence[str]) -> str:
    names = ", ".join(name for name in allowed if name in TOOLS)
    return f"the tools are {names}" if names else "this agent has no tools"


async def context_of(generation: Generation) -> ToolContext:
    """For the tools of a generation. Their threads leave the database to its own threads."""
    audience = await in_database(_audience_of, generation)
    return ToolContext(audience, partial(_search, asyncio.get_running_loop(), generation))


def _search(
    loop: asyncio.AbstractEventLoop, generation: Generation, query: str, most: int
) -> Sequence[Found]:
    searching = in_database(recall.search, generation.branch, generation.turn, query, most)
    return asyncio.run_coroutine_threadsafe(searching, loop).result()


def _audience_of(generation: Generation) -> Audience:
    """Only the owner of a conversation sends to it."""
    return Actor(generation.conversation.owner).audience
