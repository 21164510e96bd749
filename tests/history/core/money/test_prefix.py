"""The prefix that two requests share, and their first difference."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given

from history.core.money.prefix import Spot, repeated, shared_prefix
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.neutral_request import openai_messages
from history.core.plan.plan import Entry
from history.core.plan.sent_parts import SentPart
from history.core.plan.verdict import Verdict
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.summaries.checkpoints import Checkpoint
from history.core.transcript.messages import Role
from history.core.words.facts import Rule, fact
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
    "the same request": (plan(turns(3)), plan(turns(3)), 75, None),
    "it goes on": (plan(turns(3)[:-1]), plan(turns(4)[:-1]), 65, None),
    "it is shorter": (plan(turns(4)), plan(turns(3)), 75, None),
    "the window slides": (
        plan(turns(11)[:-1], LAST3),
        plan(turns(12)[:-1], LAST3),
        15,
        fact(Rule.WINDOW_MOVED, by="turn", was=9, now=10),
    ),
    "a window of messages slides inside a turn": (
        plan(LOOKED, {"max_items": 5}),
        plan(LOOKED, {"max_items": 2}),
        15,
        fact(Rule.WINDOW_MOVED, by="message", was=5, now=8),
    ),
    "a result became a placeholder": (
        plan(LOOKED, {"tool_results_keep": 2}),
        plan(LOOKED, {"tool_results_keep": 1}),
        40,
        fact(Rule.MESSAGE_BECAME, position=2, verdict=Verdict.PLACEHOLDER),
    ),
    "a placeholder is whole again": (
        plan(LOOKED, {"tool_results_keep": 1}),
        plan(LOOKED),
        40,
        fact(Rule.MESSAGE_BECAME, position=2, verdict=Verdict.KEPT),
    ),
    "a message was excluded": (
        plan(turns(5)),
        plan(turns(5), exclusions=frozenset({4})),
        55,
        fact(Rule.MESSAGE_GONE, position=4),
    ),
    "an exclusion was taken back": (
        plan(turns(5), exclusions=frozenset({4})),
        plan(turns(5)),
        55,
        fact(Rule.MESSAGE_NEW, position=4),
    ),
    "a pin before the window": (
        plan(turns(9), LAST3),
        plan(turns(9), LAST3, pins=frozenset({2})),
        15,
        fact(Rule.MESSAGE_NEW, position=2),
    ),
    "a pin inside the window is only another reason": (
        plan(turns(9)),
        plan(turns(9), pins=frozenset({2})),
        195,
        None,
    ),
    "the window slides behind a pin": (
        plan(turns(8), LAST3, pins=frozenset({2})),
        plan(turns(9), LAST3, pins=frozenset({2})),
        25,
        fact(Rule.WINDOW_MOVED, by="turn", was=6, now=7),
    ),
    "the prompt changed": (
        plan(turns(3)),
        plan(turns(3), injected=(OTHER_PROMPT,)),
        0,
        fact(Rule.TEXT_CHANGED, label=SYSTEM_PROMPT),
    ),
    "tools come before the prompt": (
        plan(turns(3), tool_schema_tokens=40),
        plan(turns(3), tool_schema_tokens=50),
        0,
        fact(Rule.TEXT_CHANGED, label="tool schemas"),
    ),
    "other tools of the same size": (
        plan(turns(3), tool_schema_tokens=40, tool_schema_digest="a"),
        plan(turns(3), tool_schema_tokens=40, tool_schema_digest="b"),
        0,
        fact(Rule.TEXT_CHANGED, label="tool schemas"),
    ),
    "tools were added": (
        plan(turns(3)),
        plan(turns(3), tool_schema_tokens=50),
        0,
        fact(Rule.TEXT_ADDED, label="tool schemas"),
    ),
    "a checkpoint was added": (
        plan(turns(5), checkpoints=POINTS[:1]),
        plan(turns(5), checkpoints=POINTS),
        27,
        fact(Rule.TEXT_ADDED, label="checkpoint 2"),
    ),
    "a checkpoint was undone": (
        plan(turns(5), checkpoints=POINTS),
        plan(turns(5), checkpoints=POINTS[:1]),
        27,
        fact(Rule.TEXT_REMOVED, label="checkpoint 2"),
    ),
    "a date before the current turn moves with it": (
        plan(turns(3)[:-1], injected=(PROMPT, TODAY)),
        plan(turns(4)[:-1], injected=(PROMPT, TODAY)),
        55,
        fact(Rule.TEXT_MOVED, label="date"),
    ),
    "a date changed": (
        plan(turns(3), injected=(PROMPT, TODAY)),
        plan(turns(3), injected=(PROMPT, TOMORROW)),
        55,
        fact(Rule.TEXT_CHANGED, label="date"),
    ),
}


@pytest.mark.parametrize(("before", "after", "tokens", "difference"), CASES.values(), ids=CASES)
def test_two_requests_share_a_prefix(before, after, tokens, difference):
    prefix = shared_prefix(before, after)

    assert (prefix.tokens, prefix.first_difference) == (tokens, difference)


def common_tokens(before, after):
    """Count the tokens of the shared prefix message by message, with a prompt of 10 tokens."""
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
    """A system message in the middle of a run is kept for another reason than its neighbours."""
    path = transcript("user: a", "assistant: b", "system: c", "user: d", "assistant: e", "user: f")
    kept, plain = (
        project(path, ProjectionRequest(settings_of(**ROOMY, preserve_system_messages=keeps)))
        for keeps in (True, False)
    )

    assert shared_prefix(kept.plan, kept.plan).tokens == 60
    assert shared_prefix(kept.plan, plain.plan).first_difference == fact(
        Rule.MESSAGE_GONE, position=2
    )


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


THOUGHT, IMAGE = SentPart("reasoning", 0, 30), SentPart("image", 1, 85)
BARE = Entry(Verdict.KEPT, 4, 4, tokens=20, sent_tokens=20)
THINKING = replace(BARE, sent_tokens=50, parts=(THOUGHT,))
SHOWN = replace(BARE, sent_tokens=135, parts=(THOUGHT, IMAGE))


@pytest.mark.parametrize(
    ("was", "now", "tokens"),
    [
        (THINKING, THINKING, 50),
        (THINKING, BARE, 20),
        (BARE, THINKING, 20),
        (SHOWN, replace(SHOWN, sent_tokens=105, parts=(IMAGE,)), 105),
        (SHOWN, BARE, None),
        (THINKING, replace(BARE, verdict=Verdict.PLACEHOLDER), None),
    ],
    ids=["the same", "reasoning lost", "reasoning got", "its image stays", "an image lost", "cut"],
)
def test_a_message_that_lost_its_reasoning_repeats_the_rest(was, now, tokens):
    again = repeated(was, now)

    assert (again and again.sent_tokens) == tokens
