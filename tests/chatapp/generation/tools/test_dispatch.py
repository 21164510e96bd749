"""The calls of a round run at the same time, and each of them gets one result."""

import threading
from contextlib import aclosing
from functools import partial

import pytest

from agents.mcp import Offer, OfferedTool
from agents.tools import TOOLS, Audience, ToolContext, ToolResult, tool
from chatapp.generation.tools import dispatch
from chatapp.generation.tools.dispatch import AT_ONCE, known_result, note_of, results_of
from chatapp.limits.fair_pool import FairPool
from chatapp.limits.sharing import SharedPlaces
from history.core.transcript.messages import ToolCall
from tests.patience import PATIENCE

CONTEXT = ToolContext(Audience.SIGNED_IN)


@pytest.fixture
def register(monkeypatch):
    """Return a function that registers a function as a tool for the test."""

    def add(function, **traits):
        monkeypatch.setitem(TOOLS, function.__name__, tool(function, **traits))

    return add


async def run(*names, allowed=None):
    calls = [ToolCall(f"c{n}", name, "{}") for n, name in enumerate(names)]
    async with aclosing(results_of(calls, allowed or list(TOOLS), CONTEXT)) as results:
        return [result async for result in results]


async def test_calls_run_side_by_side(register):
    """Each call waits for all others: run one after the other, they would never end."""
    meeting = threading.Barrier(AT_ONCE, timeout=PATIENCE)

    def meet() -> str:
        meeting.wait()
        return "met"

    register(meet, timeout=PATIENCE)

    assert await run(*["meet"] * AT_ONCE) == [ToolResult("met")] * AT_ONCE


async def test_the_results_keep_the_order_of_the_calls(register):
    second_is_done = threading.Event()

    def first() -> str:
        second_is_done.wait(PATIENCE)
        return "first"

    def second() -> str:
        second_is_done.set()
        return "second"

    register(first, timeout=PATIENCE)
    register(second)

    assert await run("first", "second") == [ToolResult("first"), ToolResult("second")]


async def test_what_runs_in_the_place_of_a_tool_is_measured_like_one():
    asked = ToolCall("a1", "ask_bob", "{}")
    others = {"a1": partial(known_result, ToolResult("Seven"))}
    async with aclosing(results_of([asked], [], CONTEXT, others=others)) as results:
        (result,) = [result async for result in results]

    assert result == ToolResult("Seven")
    assert isinstance(result.took_ms, int)


async def test_one_that_hangs_is_given_up_and_the_others_are_not(register):
    end = threading.Event()

    def hang() -> str:
        end.wait(PATIENCE)
        return ""

    register(hang, timeout=0.05)
    try:
        results = await run("hang", "current_time")
    finally:
        end.set()

    assert results[0] == ToolResult("Error: hang took longer than 0.05 seconds.", failed=True)
    assert not results[1].failed


async def test_where_every_thread_hangs_a_tool_is_not_run(register, monkeypatch):
    monkeypatch.setattr(dispatch, "threads", FairPool(SharedPlaces("tests", most=2, own=1)))
    end, ran = threading.Event(), []

    def hang() -> str:
        end.wait(PATIENCE)
        return ""

    def late() -> str:
        ran.append("late")
        return ""

    register(hang, timeout=0.05)
    register(late, timeout=0.05)
    try:
        results = await run("hang", "late")
    finally:
        end.set()

    busy = "Error: late was not run: too many other tools are still running."
    assert results[1] == ToolResult(busy, failed=True)
    assert ran == []


@pytest.mark.parametrize(
    ("name", "allowed", "text"),
    [
        ("nope", ["calculator"], "there is no tool named nope here; the tools are calculator."),
        ("wait", ["calculator"], "there is no tool named wait here; the tools are calculator."),
        ("gone", ["gone"], "there is no tool named gone here; this agent has no tools."),
    ],
    ids=["nobody's", "another agent's", "one that was taken away"],
)
async def test_only_the_agents_own_tools_are_run(name, allowed, text):
    assert await run(name, allowed=allowed) == [ToolResult(f"Error: {text}", failed=True)]


async def test_what_changes_something_is_not_run_without_approval(register):
    sent = []

    def send_mail() -> str:
        sent.append("mail")
        return "sent"

    register(send_mail, needs_approval=True)
    (result,) = await run("send_mail")

    assert "needs approval" in result.text
    assert (result.failed, sent) == (True, [])


async def test_what_a_server_may_change_is_not_run_without_approval():
    """If the tool were called, its result would say that the server does not answer."""
    offer = Offer((OfferedTool("box__add", "box", "add", "", {}, needs_approval=True),))
    calls = [ToolCall("c1", "box__add", "{}")]
    async with aclosing(results_of(calls, [], CONTEXT, offer)) as results:
        found = [result async for result in results]

    refusal = "Error: box__add needs approval, and nobody was asked. It was not run."
    assert found == [ToolResult(refusal, failed=True)]


async def test_what_is_for_staff_is_not_run_for_others(register):
    def audit() -> str:
        return "all of it"

    register(audit, audience=Audience.STAFF)

    refusal = "Error: audit is for staff only. It was not run."
    assert await run("audit") == [ToolResult(refusal, failed=True)]


async def test_a_tool_that_ends_the_program_does_not(register):
    def leave() -> str:
        raise SystemExit(1)

    register(leave)

    failure = "Error: the tool leave crashed."
    assert await run("leave") == [ToolResult(failure, failed=True)]


@pytest.mark.parametrize(
    ("left_out", "note"),
    [
        (0, ""),
        (936, "[936 further calls were left out: a round has at most 64.]"),
    ],
)
def test_calls_beyond_the_most_are_told_of(left_out, note):
    assert note_of(left_out) == note
