"""A reason's figures are those of its row, whichever stages had a hand in the message."""

import re
from dataclasses import replace

import pytest
from hypothesis import event, given

from history.core.draft.budget import DoesNotFit
from history.core.plan.injected import OPENING
from history.core.plan.plan import CHANGED, HELD
from history.core.projection.invariants import check
from history.core.projection.project import project
from history.core.stages.fit import moves_in_steps
from history.core.stages.processors import parse_levels
from history.core.wording import number
from history.wording.reasons import reason_of
from tests.history.core import strategies
from tests.history.core.making import ROOMY, requested, transcript
from tests.history.core.strategies import thorough

KEPT = re.compile(r"keeps turns? \S+: ([\d,]+) of ")
SIZES = re.compile(r"([\d,]+) → ([\d,]+) tokens")
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
QUOTED = "c1 (x) has arguments that are not a JSON object, sent quoted"
REPEATED = "call removed because c1 (x) repeats the id of an earlier call"
ALL_CALLS = "tool_call_filter (agent level) removes all tool calls"
DEBUG_CALLS = "tool_call_filter (history level) removes calls to debug"
CLAMPED = "too large, so only its beginning and end are sent"


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
            f"{ALL_CALLS}; {CLAMPED}",
            id="a filter, then the clamp",
        ),
        pytest.param(
            TWO,
            1,
            {},
            {"history": [NO_DEBUG], "agent": [NO_TOOLS]},
            f"{DEBUG_CALLS}; {ALL_CALLS}",
            id="a filter at two levels",
        ),
        pytest.param(
            with_arguments(REPEATS, 3, "[]"),
            3,
            {},
            {},
            REPEATED,
            id="without its pair, whatever its arguments are",
        ),
        pytest.param(
            with_arguments(TWO, 1, "[]"),
            1,
            {},
            {"history": [NO_DEBUG]},
            f"c1 (debug) {QUOTED.partition(') ')[2]}; {DEBUG_CALLS}",
            id="quoted, then filtered",
        ),
    ],
)
def test_each_stage_is_named_once_in_order(messages, position, values, levels, stages):
    request = {"levels": parse_levels(levels)}
    entry = requested(messages, {**ROOMY, **values}, **request).plan.entry_at(position)

    assert reason_of(entry) == (
        f"{stages}: {number(messages[position].tokens)} → {number(entry.sent_tokens)} tokens"
    )


def test_what_took_a_message_out_is_named_first():
    messages = with_arguments(transcript("user: a", "call c1 x", "result c1: y", "user: b"), 1, "")
    levels = parse_levels({"agent": [NO_TOOLS]})

    entry = requested(messages, ROOMY, levels=levels).plan.entry_at(1)

    assert reason_of(entry) == f"{ALL_CALLS}; c1 (x) has no arguments, sent as {{}}"


def test_a_pin_that_is_repaired_stays_a_pin():
    messages = transcript(
        "user: a", "call c1 x: Look", "result c1: y", "call c1 x: And", "result c1: y", "user: b"
    )

    projection = requested(messages, {**ROOMY, "policy": "none"}, pins=frozenset({1, 3}))
    check(messages, projection)
    entry = projection.plan.entry_at(3)

    said = f"pinned; {REPEATED}: 15 → 10 tokens"
    assert (entry.rule, reason_of(entry)) == ("pin", said)


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
        sizes = [(number(entry.tokens), number(entry.sent_tokens))]
        is_changed = entry.verdict in CHANGED
        assert SIZES.findall(reason_of(entry)) == (sizes if is_changed else []), entry


@thorough
@given(strategies.cases())
def test_what_a_pruner_says_it_kept_is_what_is_sent(case):
    """Before the answer begins; unless the window moves in steps, which counts what is stored, or
    more has to go.
    """
    path, request = case
    if moves_in_steps(request.settings):
        return event("in steps")
    try:
        projection = project(path, replace(request, settled=None))
    except DoesNotFit:
        return event("does not fit")
    entries = projection.plan.entries
    said = [found for e in entries if e.rule == "budget" for found in KEPT.findall(reason_of(e))]
    if not said or any("has no room for its" in reason_of(entry) for entry in entries):
        return event("no pruner")
    held = {place for e in entries if e.rule in HELD for place in e.positions}
    flow = [m for m in projection.messages if m.label or m.position not in held]
    kept = sum(message.tokens for message in flow if message.label != OPENING)

    assert set(said) == {number(kept)}
