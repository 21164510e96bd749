"""A loaded path gives the same plan at each place as a path that ends there."""

from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from history.core.draft.budget import DoesNotFit
from history.core.plan.neutral_request import canonical
from history.core.plan.verdict import Verdict
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.replay.outline import Outline
from history.core.replay.replay import past_steps
from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import Checkpoint
from history.core.transcript.messages import Message, Role, ToolCall, Unread
from history.core.words.errors import NeedsMore
from tests.history.core import strategies
from tests.history.core.making import ROOMY, settings_of, transcript
from tests.history.core.strategies import thorough

EVERYTHING = ProjectionRequest(settings_of(**ROOMY))


def plan_or_refusal(planned):
    try:
        return canonical(planned().plan.as_dict())
    except DoesNotFit as refusal:
        return str(refusal)


@st.composite
def placed(draw: st.DrawFn) -> tuple[strategies.Path, int, ProjectionRequest]:
    """Draw a path, the place where a request for it ends, and the request."""
    paths = st.one_of(
        strategies.well_formed(most=30), strategies.malformed(), strategies.well_formed()
    )
    path = draw(paths)
    end = draw(st.integers(0, len(path)))
    return path, end, draw(strategies.requests(path[:end]))


@thorough
@given(placed(), st.integers(1, 30))
def test_a_plan_at_any_place_is_the_plan_of_reading_everything(case, page):
    path, end, request = case
    outline = Outline(path, request)
    outline.size = page

    assert plan_or_refusal(lambda: outline.project(end, request)) == plan_or_refusal(
        lambda: project(path[:end], request)
    )
    event("kept a page" if outline.size == page else "read more")


@pytest.mark.whole
@thorough
@given(placed(), st.integers(1, 30))
def test_one_outline_serves_many_places(case, page):
    """An outline remembers what it read for one place, and uses that for the next ones."""
    path, end, request = case
    asked = replace(request, checkpoints=(), settled=None)
    outline = Outline(path, asked)
    outline.size = page
    ends = range(max(0, end - 8), end + 1)

    assert [plan_or_refusal(lambda e=e: outline.project(e, asked)) for e in ends] == [
        plan_or_refusal(lambda e=e: project(path[:e], asked)) for e in ends
    ]


@st.composite
def overlong(draw: st.DrawFn) -> tuple[strategies.Path, ProjectionRequest]:
    """Make turns with repeated texts. They exceed the window unless their results are shortened."""
    few = draw(st.lists(strategies.turns(answered=True), min_size=1, max_size=4))
    path = strategies.numbered(few * draw(st.integers(8, 20)))
    whole = sum(message.tokens for message in path)
    fixed = {
        "policy": "all",
        "context_window": max(512, whole * draw(st.integers(2, 11)) // 10),
        "output_reserve": 1,
        "token_budget": None,
        "max_items": None,
        "max_message_tokens": None,
    }
    marked = draw(strategies.requests(path)) if draw(strategies.CHANCE) else EVERYTHING
    settings = draw(strategies.settings(**fixed))
    return path, replace(marked, settings=settings, levels=EVERYTHING.levels)


@pytest.mark.whole
@thorough
@given(overlong(), st.integers(1, 40), st.data())
def test_a_cut_far_back_is_where_reading_everything_puts_it(case, page, data):
    path, asked = case
    asked = replace(asked, checkpoints=())
    outline = Outline(path, asked)
    outline.size = page
    steps = list(past_steps(path))
    first = data.draw(st.integers(0, len(steps) - 1))
    chosen = [(s.end, replace(asked, settled=s.settled)) for s in steps[first : first + 6]]

    assert [plan_or_refusal(lambda s=s: outline.project(*s)) for s in chosen] == [
        plan_or_refusal(lambda s=s: project(path[: s[0]], s[1])) for s in chosen
    ]
    event("kept a page" if outline.size == page else "read more")


LONG = transcript(*["user: q x10", "assistant: a x20"] * 100)


@pytest.mark.parametrize(
    ("place", "odd"),
    [
        pytest.param(3, Message(3, Role.ASSISTANT, "", turn=2), id="empty"),
        pytest.param(3, Message(3, Role.SYSTEM, "x", turn=2), id="system"),
        pytest.param(
            3, Message(3, Role.ASSISTANT, "x", (ToolCall("c", "t", "{}"),), turn=2), id="unpaired"
        ),
        pytest.param(3, Message(3, Role.TOOL, "x", tool_call_id="c", turn=2), id="no call"),
    ],
)
def test_what_may_go_out_otherwise_is_read(place, odd):
    path = (*LONG[:place], odd, *LONG[place + 1 :])
    request = replace(EVERYTHING, settings=settings_of(**ROOMY, preserve_system_messages=False))

    plan = Outline(path, request).project(199, request).plan

    assert canonical(plan.as_dict()) == canonical(project(path[:199], request).plan.as_dict())
    assert plan.verdict_of(place) is not Verdict.KEPT


def test_calls_that_a_filter_takes_out_are_read():
    turn = ["user: q", "call c1 search", "result c1: found", "assistant: a"]
    path = strategies.numbered([list(transcript(*turn)) for _ in range(20)])
    path = tuple(replace(m, tool_calls=_own(m), tool_call_id=_own_id(m)) for m in path)
    levels = parse_levels({"agent": [{"use": "tool_call_filter"}]})
    request = replace(EVERYTHING, levels=levels)

    plan = Outline(path, request).project(77, request).plan

    assert canonical(plan.as_dict()) == canonical(project(path[:77], request).plan.as_dict())
    assert plan.verdict_of(1) is Verdict.FILTERED


def test_what_stands_between_a_pinned_call_and_its_result_is_read_with_them():
    calls = (ToolCall("c", "search", "{}"),)
    broken = [
        Message(2, Role.ASSISTANT, "", calls, turn=2),
        Message(3, Role.TOOL, "lost", turn=2),
        Message(4, Role.TOOL, "found", tool_call_id="c", turn=2),
        Message(5, Role.USER, "q", turn=3),
    ]
    path = (*LONG[:1], replace(LONG[2], position=1), *broken)
    request = ProjectionRequest(settings_of(policy="none"), pins=frozenset({2}))
    outline = Outline(path, request)
    outline.size = 1

    plan = outline.project(6, request).plan

    assert canonical(plan.as_dict()) == canonical(project(path, request).plan.as_dict())
    assert [plan.verdict_of(n) for n in (2, 3, 4)] == list("KTK")


def _own(message):
    return tuple(replace(call, id=f"{message.turn}") for call in message.tool_calls)


def _own_id(message):
    return f"{message.turn}" if message.tool_call_id else None


def test_runs_that_were_never_read_stay_so():
    lead = Unread(0, 99, 1, 50, 1_500)
    few = ProjectionRequest(settings_of(policy="lastN", length=5))
    path = (lead, *LONG[100:])

    assert Outline(path, few).project(199, few).plan == project(LONG[:199], few).plan
    with pytest.raises(NeedsMore):
        Outline(path, EVERYTHING).project(199, EVERYTHING)


def test_a_summary_is_read_over():
    point = Checkpoint(1, 0, 149, 1, 75, "they spoke", 30, 2_250)
    request = replace(EVERYTHING, checkpoints=(point,))

    plan = Outline(LONG, EVERYTHING).project(199, request).plan

    assert canonical(plan.as_dict()) == canonical(project(LONG[:199], request).plan.as_dict())
