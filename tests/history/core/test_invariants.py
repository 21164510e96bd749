"""Every policy keeps every invariant for every transcript, and each invariant can be broken."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.invariants import INVARIANTS, InvariantBroken, check
from history.core.messages import Role
from history.core.plan import Verdict
from history.core.projection import project
from tests import transcripts
from tests.history.core import strategies
from tests.history.core.making import projected
from tests.transcripts import ONE_TOOL, PLAIN, turns

POLICIES = {
    "none": {"policy": "none"},
    "lastN_0": {"policy": "lastN", "length": 0},
    "lastN_1": {"policy": "lastN", "length": 1},
    "lastN_2": {"policy": "lastN", "length": 2},
    "lastN_20": {"policy": "lastN", "length": 20},
    "all": {"policy": "all"},
    "all_without_system": {"policy": "all", "preserve_system_messages": False},
    "none_without_system": {"policy": "none", "preserve_system_messages": False},
}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES.keys())
@pytest.mark.parametrize("messages", transcripts.ALL.values(), ids=transcripts.ALL.keys())
@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda rule: rule.__name__)
def test_policy_keeps_invariant(messages, policy, invariant):
    assert invariant(messages, projected(messages, **policy))


@given(strategies.transcripts(), strategies.requests())
def test_any_projection_of_any_transcript_passes(messages, request):
    check(messages, project(messages, request))


@given(strategies.well_formed(), strategies.requests())
def test_a_well_formed_transcript_needs_no_repair(messages, request):
    plan = project(messages, request).plan

    assert {e.verdict for e in plan.entries} <= {Verdict.KEPT, Verdict.TRIMMED, Verdict.INJECTED}


@given(strategies.transcripts(), strategies.requests())
def test_projecting_twice_is_the_same_byte_for_byte(messages, request):
    assert project(messages, request).plan.to_json() == project(messages, request).plan.to_json()


@given(st.data(), strategies.transcripts(), strategies.requests())
def test_what_was_left_unread_makes_no_difference(data, messages, request):
    read = data.draw(strategies.partly_read(messages, request.settings))
    full, partial = project(messages, request), project(read, request)

    check(read, partial)
    assert partial.plan.to_json() == full.plan.to_json()
    assert partial.messages == full.messages


def sending(projection, messages):
    return replace(projection, messages=tuple(messages))


def planning(projection, **changes):
    return replace(projection, plan=replace(projection.plan, **changes))


def summing(projection, **changes):
    return planning(projection, window=replace(projection.plan.window, **changes))


GOOD = projected(ONE_TOOL, policy="all")
SENT = GOOD.messages
LAST_TWO = projected(turns(3), length=2)
MISCOUNTED = replace(GOOD.plan.counts, trimmed=1)
EMPTY_ANSWER = replace(SENT[3], text="")
SHORTER = replace(GOOD.plan.entries[0], last=2)
BROKEN = {
    "order_is_kept": (ONE_TOOL, sending(GOOD, reversed(SENT))),
    "only_the_transcript_is_sent": (
        ONE_TOOL,
        sending(GOOD, [replace(SENT[0], text="other"), *SENT[1:]]),
    ),
    "calls_and_results_pair_up": (ONE_TOOL, sending(GOOD, [SENT[0], SENT[1], *SENT[3:]])),
    "no_assistant_message_is_empty": (
        ONE_TOOL,
        sending(GOOD, [*SENT[:3], EMPTY_ANSWER, SENT[4]]),
    ),
    "the_current_message_is_sent": (ONE_TOOL, sending(GOOD, SENT[:-1])),
    "every_message_is_planned_once": (
        ONE_TOOL,
        planning(GOOD, entries=(SHORTER, *GOOD.plan.entries[1:])),
    ),
    "sums_close": (ONE_TOOL, summing(GOOD, history=1)),
    "counts_agree": (ONE_TOOL, planning(GOOD, counts=MISCOUNTED)),
    "the_window_starts_with_a_turn": (
        turns(3),
        sending(LAST_TWO, [turns(3)[1], *LAST_TWO.messages]),
    ),
    "the_policy_is_exact": (turns(3), sending(LAST_TWO, LAST_TWO.messages[2:])),
}


@pytest.mark.parametrize("name", [rule.__name__ for rule in INVARIANTS])
def test_each_invariant_can_be_broken(name):
    messages, projection = BROKEN[name]

    with pytest.raises(InvariantBroken) as error:
        check(messages, projection)

    assert name in error.value.names


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([SENT[0], SENT[2], *SENT[3:]], id="a result without its call"),
        pytest.param([SENT[1], SENT[3], SENT[2]], id="a message between"),
        pytest.param([SENT[1], SENT[2], SENT[1], SENT[2]], id="an id used twice"),
        pytest.param([SENT[1]], id="a call at the very end"),
    ],
)
def test_pairs_are_checked_strictly(messages):
    with pytest.raises(InvariantBroken, match="calls_and_results_pair_up"):
        check(ONE_TOOL, sending(GOOD, messages))


def test_a_message_that_nobody_stored_is_not_sent():
    stranger = replace(PLAIN[0], position=99, role=Role.SYSTEM)

    with pytest.raises(InvariantBroken, match="only_the_transcript_is_sent"):
        check(PLAIN, sending(projected(PLAIN), [*PLAIN, stranger]))
