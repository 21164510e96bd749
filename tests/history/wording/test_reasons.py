"""Reasons are worded of figures, and nobody has to read the words to know what they say."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

from history.core.draft.budget import DoesNotFit
from history.core.facts import Rule, fact
from history.core.money.prefix import same_form
from history.core.plan.plan import Entry, Verdict
from history.core.projection.project import project
from history.wording import settings
from history.wording.contradictions import PROBLEMS
from history.wording.differences import DIFFERENCES
from history.wording.faults import FAULTS, VALUES
from history.wording.notes import NOTES
from history.wording.reasons import REASONS, brief, reason_of
from tests.history.core import strategies
from tests.history.core.strategies import thorough

PRUNED = fact(
    Rule.BUDGET,
    pruner="sliding_window",
    size=8,
    turn_stride=4,
    token_stride=150,
    kept=[5, 9],
    tokens=1_200,
    budget=2_000,
    beyond={"turn": 4, "tokens": 2_400},
)
TRIMMED = Entry(Verdict.TRIMMED, 0, 7, 1, 4, 8, 400, rule="budget", reasons=(PRUNED,), of_turns=9)
CLAMPED = Entry(
    Verdict.ALTERED, 3, 3, 2, 2, 1, 900, 70, rule="clamp", reasons=(fact(Rule.CLAMPED),)
)
SETTINGS = settings.REASONS.keys() | VALUES.keys() | PROBLEMS.keys() | FAULTS.keys() - {Rule.TOLD}
STEPS = "sliding_window 8 in steps of 4 turns and 150 tokens"


def test_every_rule_has_its_words_in_one_place():
    assert NOTES.keys() | REASONS.keys() | DIFFERENCES.keys() | SETTINGS == set(Rule)
    assert not (NOTES.keys() | REASONS.keys()) & SETTINGS
    assert NOTES.keys() & REASONS.keys() == {Rule.TOLD}
    assert not DIFFERENCES.keys() & (NOTES.keys() | REASONS.keys())


def test_a_trim_is_told_with_its_turns_and_its_arithmetic():
    assert reason_of(TRIMMED) == (
        f"turns 1\N{EN DASH}4 of 9; {STEPS} keeps turns 5\N{EN DASH}9: "
        "1,200 of 2,000 tokens; 2,400 with turn 4"
    )


def test_a_single_message_names_its_own_turn():
    assert reason_of(TRIMMED, span=(3, 3)).startswith("turn 3 of 9; sliding_window 8")


def test_in_brief_the_rule_stands_alone():
    assert brief(TRIMMED) == f"{STEPS} keeps turns 5\N{EN DASH}9: 1,200 of 2,000 tokens"


def test_a_name_with_a_semicolon_stays_in_one_piece():
    """Sentences were split there once."""
    named = fact(Rule.QUOTED, call="c1; c2", tool="look", why="none")

    assert reason_of(replace(CLAMPED, reasons=(named,))).startswith(
        "c1; c2 (look) has no arguments"
    )


@pytest.mark.parametrize(
    ("change", "same"),
    [
        pytest.param({}, True, id="the same"),
        pytest.param({"sent_tokens": 60}, False, id="another size"),
        pytest.param({"reasons": (fact(Rule.EMPTY),)}, False, id="for another reason"),
        pytest.param(
            {"reasons": (fact(Rule.TOLD, sentence="too large: 900 → 70 tokens"),)},
            True,
            id="told by an older plan",
        ),
        pytest.param(
            {"reasons": (fact(Rule.TOLD, sentence="too large"),), "sent_tokens": 60},
            False,
            id="told by an older plan, with another size",
        ),
    ],
)
def test_a_message_is_sent_in_the_same_form_by_facts_alone(change, same):
    assert same_form(CLAMPED, replace(CLAMPED, **change)) is same


@thorough
@given(strategies.cases())
def test_an_entry_is_the_same_after_it_was_stored(case):
    try:
        entries = project(*case).plan.entries
    except DoesNotFit:
        return

    assert tuple(Entry.from_dict(json.loads(json.dumps(e.as_dict()))) for e in entries) == entries
