"""Sentences on reasons are made from figures, and no code needs to read the sentences."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

from history.core.draft.budget import DoesNotFit
from history.core.money.prefix import same_form
from history.core.plan.plan import Entry
from history.core.plan.verdict import Verdict
from history.core.projection.project import project
from history.core.words.facts import Rule, fact
from history.wording import settings
from history.wording.deciding.contradictions import PROBLEMS
from history.wording.differences import DIFFERENCES
from history.wording.faults import FAULTS, VALUES
from history.wording.notes import NOTES
from history.wording.reasons import REASONS, brief, reason_of, worded_reasons
from history.wording.wires import WIRES
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
SETTINGS = settings.REASONS.keys() | VALUES.keys() | PROBLEMS.keys() | FAULTS.keys()
STEPS = "“Pruner” sliding_window 8 in steps of 4 turns and 150 tokens"


def test_every_rule_has_its_words_in_one_place():
    assert NOTES.keys() | REASONS.keys() | DIFFERENCES.keys() | WIRES.keys() | SETTINGS == set(Rule)
    assert not (NOTES.keys() | REASONS.keys()) & SETTINGS
    assert not NOTES.keys() & REASONS.keys()
    assert not DIFFERENCES.keys() & (NOTES.keys() | REASONS.keys())


def test_a_trim_is_told_with_its_turns_and_its_arithmetic():
    assert reason_of(TRIMMED) == (
        f"turns 1\N{EN DASH}4 of 9; {STEPS} keeps turns 5\N{EN DASH}9: "
        "1,200 of 2,000 tokens; 2,400 with turn 4"
    )


def test_a_single_message_names_its_own_turn():
    assert reason_of(TRIMMED, span=(3, 3)).startswith("turn 3 of 9; “Pruner” sliding_window 8")


def test_in_brief_the_rule_stands_alone():
    assert brief(TRIMMED) == f"{STEPS} keeps turns 5\N{EN DASH}9: 1,200 of 2,000 tokens"


TOOL_CALLS = {"processor": "tool_call_filter", "level": "agent"}


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (
            fact(Rule.POLICY, policy="lastN", length=2, stride=1, kept=[2, 3]),
            "“History length” 2 keeps turns 2\N{EN DASH}3",
        ),
        (
            fact(Rule.POLICY, policy="lastN", length=2, stride=3, kept=[4, 4]),
            "“History length” 2 in steps of 3 keeps turn 4",
        ),
        (fact(Rule.POLICY, policy="none", kept=[3, 3]), "History policy none keeps turn 3"),
        (
            fact(Rule.POLICY, policy="none", kept=[]),
            "History policy none only keeps the current turn, and there is none yet",
        ),
        (fact(Rule.CURRENT_TURN), "current turn"),
        (fact(Rule.SYSTEM_KEPT), "a system message, which every policy keeps"),
        (
            fact(Rule.SYSTEM_NOT_KEPT),
            "a system message, and “Send the chat's system messages” is off",
        ),
        (
            fact(Rule.HISTORY_WINDOW, size=5, stride=1, kept=5, brought=0),
            "“History window (items)” 5 keeps 5 messages",
        ),
        (
            fact(Rule.HISTORY_WINDOW, size=2, stride=1, kept=6, brought=5),
            "“History window (items)” 2 keeps 6 messages, including 5 added to keep a question "
            "and its answer",
        ),
        (
            fact(Rule.HISTORY_WINDOW, size=2, stride=1, kept=0, brought=0),
            "“History window (items)” 2 keeps nothing: the newest calls and their results are more",
        ),
        (
            fact(Rule.OMITTED, kind="image", count=1, held=2, keep=1, stride=1),
            "1 image of 2 omitted, because “Images kept” 1 only sends the newest 1",
        ),
        (
            fact(
                Rule.OMITTED,
                kind="file",
                count=2,
                held=2,
                keep=3,
                stride=2,
                besides=["current", "pinned"],
            ),
            "2 files of 2 omitted, because “Files kept” 3 in steps of 2 only sends the newest 3, "
            "besides those of the current message and those of pinned messages",
        ),
        (
            fact(Rule.EXCHANGE, size=2),
            "the newest 2 messages contain no question with a text answer",
        ),
        (
            fact(
                Rule.BUDGET,
                pruner="fifo",
                token_stride=1,
                kept=[],
                tokens=0,
                budget=240,
                beyond={"turn": 0, "tokens": 288},
            ),
            "“Pruner” fifo keeps no turn: 0 of 240 tokens; 288 with turn 0",
        ),
        (
            fact(Rule.TOOL_CALL_FILTER, **TOOL_CALLS),
            "“Remove tool calls” (agent level) removes all tool calls",
        ),
        (
            fact(Rule.TOOL_CALL_FILTER, exclude=["look", "see"], **TOOL_CALLS),
            "“Remove tool calls” (agent level) removes calls to look, see",
        ),
        (
            fact(Rule.TOOL_CALL_FILTER, include=["look"], **TOOL_CALLS),
            "“Remove tool calls” (agent level) only keeps calls to look",
        ),
        (
            fact(
                Rule.TOKEN_LIMITER,
                processor="token_limiter",
                level="network",
                limit=16_000,
                stride=1,
                tokens=15_530,
                beyond={"places": [0, 0], "tokens": 19_534},
            ),
            "“Limit the tokens” (network level) keeps the newest messages within 16,000 tokens: "
            "15,530; 19,534 with message 1",
        ),
        (
            fact(Rule.OWN_PROCESSOR, processor="questions_only", level="agent"),
            "removed by questions_only (agent level)",
        ),
        (fact(Rule.CALLS_NOTE), "sent in place of the removed calls"),
        (fact(Rule.PLACEHOLDER, text="[Omitted]"), "an older tool result, sent as [Omitted]"),
        (fact(Rule.CLAMPED), "too large, so only its beginning and end are sent"),
        (
            fact(Rule.UNPAIRED_CALL, why="repeats", call="c1", tool="look", then="removed"),
            "removed because c1 (look) repeats the id of an earlier call",
        ),
        (
            fact(Rule.UNPAIRED_CALL, why="no_result", call="c9", tool="look", then="taken_out"),
            "call removed because c9 (look) has no result right after it",
        ),
        (
            fact(Rule.UNPAIRED_RESULT, why="repeats"),
            "removed because its call repeats the id of an earlier call",
        ),
        (fact(Rule.INJECTED, place="start"), "sent before the messages"),
    ],
)
def test_a_reason_is_worded_of_its_figures(reason, words):
    assert worded_reasons([reason]) == words


def test_a_name_with_a_semicolon_stays_in_one_piece():
    """Code once split sentences at semicolons."""
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
