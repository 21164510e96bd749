"""What two requests share from their beginning, and what parts them."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given

from history.core.messages import Role
from history.core.money.prefix import Spot, shared_prefix
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.wire import openai_messages
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.summaries.checkpoints import Checkpoint
from tests.history.core import strategies
from tests.history.core.making import ROOMY, requested, settings_of, weighing
from tests.history.core.strategies import thorough
from tests.history.core.test_cache_stability import NAMES, STRATEGIES, projections
from tests.transcripts import transcript, turns

PROMPT = Injected(SYSTEM_PROMPT, Role.SYSTEM, "You are kind", 15)
OTHER_PROMPT = Injected(SYSTEM_PROMPT, Role.SYSTEM, "You are fair", 15)
TODAY = Injected("date", Role.USER, "Monday", 7, "turn")
TOMORROW = Injected("date", Role.USER, "Tuesday", 7, "turn")
LOOKED = transcript(
    *("user: a", "call c1 find", "result c1: x", "assistant: b"),
    *("user: c", "call c2 find", "result c2: y", "assistant: d", "user: e"),
)
POINTS = [Checkpoint(n + 1, 2 * n, 2 * n + 1, n + 1, n + 1, "They met.", 12, 20) for n in range(2)]
LAST3 = {"policy": "lastN", "length": 3}


def plan(path, values=(), **request):
    injected = request.pop("injected", (PROMPT,))
    return requested(path, {**ROOMY, **dict(values)}, injected=injected, **request).plan


CASES = {
    "the same request": (plan(turns(3)), plan(turns(3)), 75, ""),
    "it goes on": (plan(turns(3)[:-1]), plan(turns(4)[:-1]), 65, ""),
    "it is shorter": (plan(turns(4)), plan(turns(3)), 75, ""),
    "the window slides": (
        plan(turns(11)[:-1], LAST3),
        plan(turns(12)[:-1], LAST3),
        15,
        "the window now starts at turn 10 instead of turn 9",
    ),
    "a window of messages slides inside a turn": (
        plan(LOOKED, {"max_items": 5}),
        plan(LOOKED, {"max_items": 2}),
        15,
        "the window now starts at message 8 instead of message 5",
    ),
    "a result became a placeholder": (
        plan(LOOKED, {"tool_results_keep": 2}),
        plan(LOOKED, {"tool_results_keep": 1}),
        40,
        "message 3 became a placeholder",
    ),
    "a placeholder is whole again": (
        plan(LOOKED, {"tool_results_keep": 1}),
        plan(LOOKED),
        40,
        "message 3 is sent whole again",
    ),
    "a message was excluded": (
        plan(turns(5)),
        plan(turns(5), exclusions=frozenset({4})),
        55,
        "message 5 is no longer sent",
    ),
    "an exclusion was taken back": (
        plan(turns(5), exclusions=frozenset({4})),
        plan(turns(5)),
        55,
        "message 5 is sent now, and was not before",
    ),
    "a pin before the window": (
        plan(turns(9), LAST3),
        plan(turns(9), LAST3, pins=frozenset({2})),
        15,
        "message 3 is sent now, and was not before",
    ),
    "a pin inside the window is only another reason": (
        plan(turns(9)),
        plan(turns(9), pins=frozenset({2})),
        195,
        "",
    ),
    "the window slides behind a pin": (
        plan(turns(8), LAST3, pins=frozenset({2})),
        plan(turns(9), LAST3, pins=frozenset({2})),
        25,
        "the window now starts at turn 7 instead of turn 6",
    ),
    "the prompt changed": (
        plan(turns(3)),
        plan(turns(3), injected=(OTHER_PROMPT,)),
        0,
        "the system prompt changed",
    ),
    "tools come before the prompt": (
        plan(turns(3), tool_schema_tokens=40),
        plan(turns(3), tool_schema_tokens=50),
        0,
        "tool schemas changed",
    ),
    "other tools of the same size": (
        plan(turns(3), tool_schema_tokens=40, tool_schema_digest="a"),
        plan(turns(3), tool_schema_tokens=40, tool_schema_digest="b"),
        0,
        "tool schemas changed",
    ),
    "tools of a plan that did not tell them apart": (
        plan(turns(3), tool_schema_tokens=40),
        plan(turns(3), tool_schema_tokens=40, tool_schema_digest="b"),
        115,
        "",
    ),
    "tools were added": (
        plan(turns(3)),
        plan(turns(3), tool_schema_tokens=50),
        0,
        "tool schemas were added",
    ),
    "a checkpoint was added": (
        plan(turns(5), checkpoints=POINTS[:1]),
        plan(turns(5), checkpoints=POINTS),
        27,
        "checkpoint 2 was added",
    ),
    "a checkpoint was undone": (
        plan(turns(5), checkpoints=POINTS),
        plan(turns(5), checkpoints=POINTS[:1]),
        27,
        "checkpoint 2 was removed",
    ),
    "a date before the current turn moves with it": (
        plan(turns(3)[:-1], injected=(PROMPT, TODAY)),
        plan(turns(4)[:-1], injected=(PROMPT, TODAY)),
        55,
        "date moved",
    ),
    "a date changed": (
        plan(turns(3), injected=(PROMPT, TODAY)),
        plan(turns(3), injected=(PROMPT, TOMORROW)),
        55,
        "date changed",
    ),
}


@pytest.mark.parametrize(("before", "after", "tokens", "difference"), CASES.values(), ids=CASES)
def test_two_requests_share_a_prefix(before, after, tokens, difference):
    prefix = shared_prefix(before, after)

    assert (prefix.tokens, prefix.first_difference) == (tokens, difference)


def common_tokens(before, after):
    """Count as a provider would, message by message; the prompt costs 10."""
    pairs = zip(before.messages, after.messages, strict=False)
    tokens = 10
    for one, other in pairs:
        if openai_messages([one]) != openai_messages([other]):
            break
        tokens += one.tokens
    return tokens


@thorough
@given(NAMES, strategies.well_formed(most=16))
def test_the_runs_of_plans_tell_what_the_messages_tell(name, path):
    told_apart = [replace(m, text=f"{m.position} {m.text}") for m in weighing(path, 10)]
    made = list(projections(told_apart, STRATEGIES[name]))

    for before, after in pairwise(made):
        found = shared_prefix(before.plan, after.plan).tokens
        assert found == common_tokens(before, after)


def test_reasons_part_runs_but_not_prefixes():
    """A system message is kept for a reason of its own, in the middle of a run."""
    path = transcript("user: a", "assistant: b", "system: c", "user: d", "assistant: e", "user: f")
    kept, plain = (
        project(path, ProjectionRequest(settings_of(**ROOMY, preserve_system_messages=keeps)))
        for keeps in (True, False)
    )

    assert shared_prefix(kept.plan, kept.plan).tokens == 60
    assert shared_prefix(kept.plan, plain.plan).first_difference == "message 3 is no longer sent"


SPOTS = {
    "the window slides": (Spot(16), Spot(18)),
    "a message was excluded": (Spot(4), Spot(5)),
    "the prompt changed": (Spot(None, SYSTEM_PROMPT), Spot(None, SYSTEM_PROMPT)),
    "it goes on": (None, Spot(5)),
    "the same request": (None, None),
}


@pytest.mark.parametrize("case", SPOTS)
def test_the_place_where_they_part_is_named(case):
    before, after, *_ = CASES[case]

    prefix = shared_prefix(before, after)

    assert (prefix.was, prefix.now) == SPOTS[case]
