"""A path at hand is planned at any of its places as if each were read anew."""

from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from history.core.budget import DoesNotFit
from history.core.checkpoints import Checkpoint
from history.core.draft import NeedsMore
from history.core.messages import Message, Role, ToolCall, Unread
from history.core.outline import Outline
from history.core.plan import Verdict
from history.core.processors import parse_levels
from history.core.projection import ProjectionRequest, project
from tests.history.core import strategies
from tests.history.core.making import ROOMY, settings_of, transcript
from tests.history.core.strategies import thorough


def plan_or_refusal(planned):
    try:
        return planned().plan.to_json()
    except DoesNotFit as refusal:
        return str(refusal)


@st.composite
def placed(draw: st.DrawFn) -> tuple[strategies.Path, int, ProjectionRequest]:
    """A long path, a request for it as it stood at some place, and a page that may be too small."""
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


@thorough
@given(placed())
def test_one_outline_serves_all_places(case):
    path, end, request = case
    asked = replace(request, checkpoints=(), settled=None)
    outline = Outline(path, asked)
    ends = range(end + 1)

    assert [plan_or_refusal(lambda e=e: outline.project(e, asked)) for e in ends] == [
        plan_or_refusal(lambda e=e: project(path[:e], asked)) for e in ends
    ]


LONG = transcript(*["user: q x10", "assistant: a x20"] * 100)
EVERYTHING = ProjectionRequest(settings_of(**ROOMY))


def test_what_no_stage_can_change_is_not_looked_at_again():
    outline = Outline(LONG, EVERYTHING)

    plan = outline.project(199, EVERYTHING).plan

    assert plan.counts.sent == 199
    assert len(outline.project(199, EVERYTHING).messages) < 30


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

    assert plan.to_json() == project(path[:199], request).plan.to_json()
    assert plan.verdict_of(place) is not Verdict.KEPT


def test_calls_that_a_filter_takes_out_are_read():
    turn = ["user: q", "call c1 search", "result c1: found", "assistant: a"]
    path = strategies.numbered([list(transcript(*turn)) for _ in range(20)])
    path = tuple(replace(m, tool_calls=_own(m), tool_call_id=_own_id(m)) for m in path)
    levels = parse_levels({"agent": [{"use": "tool_call_filter"}]})
    request = replace(EVERYTHING, levels=levels)

    plan = Outline(path, request).project(77, request).plan

    assert plan.to_json() == project(path[:77], request).plan.to_json()
    assert plan.verdict_of(1) is Verdict.FILTERED


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

    assert plan.to_json() == project(LONG[:199], request).plan.to_json()
