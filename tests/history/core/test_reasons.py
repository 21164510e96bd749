"""A reason's figures agree with its row, whichever stages changed the message."""

from dataclasses import replace

import pytest
from hypothesis import event, given

from history.core.draft.budget import DoesNotFit
from history.core.plan.injected import OPENING
from history.core.plan.verdict import CHANGED, HELD
from history.core.projection.invariants import check
from history.core.projection.project import project
from history.core.stages.processors import parse_levels
from history.core.stages.pruners import moves_in_steps
from history.core.words.facts import Rule, fact
from tests.history.core import strategies
from tests.history.core.making import ROOMY, requested, transcript
from tests.history.core.strategies import thorough

NO_TOOLS = {"use": "tool_call_filter"}
NO_DEBUG = {"use": "tool_call_filter", "exclude": ["debug"]}
LONG = transcript("user: a", f"call c1 x: {'long text ' * 300} x605", "result c1: y", "user: b")
TWO = transcript(
    "user: a", "call c1 debug, c2 search: Look x26", "result c1: x", "result c2: y", "user: b"
)
REPEATS = transcript(
    "user: a",
    "call c1 x",
    "result c1: y",
    "call c1 x, c2 z x14",
    "result c1: y",
    "result c2: y",
    "user: b",
)
NAMED = {"processor": "tool_call_filter"}
REPEATED = fact(Rule.UNPAIRED_CALL, why="repeats", call="c1", tool="x", then="taken_out")
ALL_CALLS = fact(Rule.TOOL_CALL_FILTER, level="agent", **NAMED)
DEBUG_CALLS = fact(Rule.TOOL_CALL_FILTER, exclude=["debug"], level="history", **NAMED)


def quoted(why, tool):
    return fact(Rule.QUOTED, why=why, call="c1", tool=tool)


def with_arguments(messages, position, arguments):
    """Replace the arguments of a message's first call."""
    message = messages[position]
    first, *others = message.tool_calls
    asked = replace(message, tool_calls=(replace(first, arguments=arguments), *others))
    return (*messages[:position], asked, *messages[position + 1 :])


@pytest.mark.parametrize(
    ("messages", "position", "values", "levels", "stages"),
    [
        pytest.param(
            LONG,
            1,
            {"max_message_tokens": 70},
            {"agent": [NO_TOOLS]},
            [ALL_CALLS, fact(Rule.CLAMPED)],
            id="a filter, then the clamp",
        ),
        pytest.param(
            TWO,
            1,
            {},
            {"history": [NO_DEBUG], "agent": [NO_TOOLS]},
            [DEBUG_CALLS, ALL_CALLS],
            id="a filter at two levels",
        ),
        pytest.param(
            with_arguments(REPEATS, 3, "[]"),
            3,
            {},
            {},
            [REPEATED],
            id="without its pair, whatever its arguments are",
        ),
        pytest.param(
            with_arguments(TWO, 1, "[]"),
            1,
            {},
            {"history": [NO_DEBUG]},
            [quoted("no_object", "debug"), DEBUG_CALLS],
            id="quoted, then filtered",
        ),
    ],
)
def test_each_stage_is_named_once_in_order(messages, position, values, levels, stages):
    request = {"levels": parse_levels(levels)}
    entry = requested(messages, {**ROOMY, **values}, **request).plan.entry_at(position)

    assert [*entry.reasons] == stages
    assert entry.sizes == (messages[position].tokens, entry.sent_tokens)


def test_what_took_a_message_out_is_named_first():
    messages = with_arguments(transcript("user: a", "call c1 x", "result c1: y", "user: b"), 1, "")
    levels = parse_levels({"agent": [NO_TOOLS]})

    entry = requested(messages, ROOMY, levels=levels).plan.entry_at(1)

    assert entry.reasons == (ALL_CALLS, quoted("none", "x"))


def test_a_pin_that_is_repaired_stays_a_pin():
    messages = transcript(
        "user: a", "call c1 x: Look", "result c1: y", "call c1 x: And", "result c1: y", "user: b"
    )

    projection = requested(messages, {**ROOMY, "policy": "none"}, pins=frozenset({1, 3}))
    check(messages, projection)
    entry = projection.plan.entry_at(3)

    assert (entry.rule, entry.reasons) == ("pin", (fact(Rule.PINNED), REPEATED))


def test_results_of_one_round_have_an_entry_each():
    messages = transcript(
        "user: a",
        "call c1 x, c2 y",
        "result c1: a x50",
        "result c2: b x50",
        "call c3 z",
        "result c3: c",
    )

    plan = requested(messages, {**ROOMY, "tool_results_keep": 1}).plan
    entries = [plan.entry_at(position) for position in (2, 3)]

    assert {(str(e.verdict), e.count, e.tokens, e.sent_tokens) for e in entries} == {
        ("P", 1, 50, 7)
    }


@thorough
@given(strategies.cases())
def test_the_sizes_in_a_reason_are_its_rows(case):
    try:
        plan = project(*case).plan
    except DoesNotFit:
        return

    for entry in plan.entries:
        as_counted = sum(part.whole - part.stored for part in entry.parts)
        sizes = (entry.tokens + as_counted, entry.sent_tokens)
        assert entry.sizes == (sizes if entry.verdict in CHANGED else None), entry


@thorough
@given(strategies.cases())
def test_what_a_pruner_says_it_kept_is_what_is_sent(case):
    """A pruner's figure is the cost of what is sent before the answer begins. Two cases are
    excepted: windows that move in steps, which count stored sizes, and turns that must be left out
    after all.
    """
    path, request = case
    if moves_in_steps(request.settings):
        return event("in steps")
    try:
        projection = project(path, replace(request, settled=None))
    except DoesNotFit:
        return event("does not fit")
    entries = projection.plan.entries
    said = [why for e in entries for why in e.reasons]
    pruners = [why.figures["tokens"] for why in said if why.rule is Rule.BUDGET]
    if not pruners or any(why.rule is Rule.NO_ROOM for why in said):
        return event("no pruner")
    held = {place for e in entries if e.rule in HELD for place in e.positions}
    flow = [m for m in projection.messages if m.label or m.position not in held]
    kept = sum(message.tokens for message in flow if message.label != OPENING)

    assert set(pruners) == {kept}
