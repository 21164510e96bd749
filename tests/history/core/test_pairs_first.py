"""Unpaired messages are set aside before any stage counts messages, and reported as repaired."""

import pytest

from history.core.projection.invariants import check
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.settings import registry
from history.core.stages.processors import parse_levels
from history.core.words.facts import Rule, fact
from tests.history.core.making import ROOMY, of_transcript, settings_of, transcript

FILTER = {"use": "tool_call_filter"}
TOLD = {**FILTER, "persist_results": True}
PAIR, AGAIN = ("call c1 look", "result c1: one"), ("call c1 look", "result c1: again")
OTHER = ("call c2 look", "result c2: two")
REPEATED = ("user: a", *PAIR, *OTHER, "assistant: b", "user: c", *AGAIN, "assistant: d", "user: e")
BUDGET = {
    "token_budget": 256,  # They leave 255 for the history.
    "output_reserve": 1,
    "min_history_turns": 0,
    "max_message_tokens": 1_000,
}


def planned(lines, values, *chain, **request):
    messages = transcript(*lines)
    settings = settings_of(**{**ROOMY, **values})
    levels = parse_levels({"agent": chain})
    projection = project(messages, ProjectionRequest(settings, levels=levels, **request))
    check(messages, projection)
    return projection


@pytest.mark.parametrize(
    ("lines", "values", "chain", "expected"),
    [
        pytest.param(REPEATED, {}, [], "KKKKKKK!!KK", id="it is repaired"),
        pytest.param(
            REPEATED, {"policy": "lastN", "length": 2}, [], "TTTTTTK!!KK", id="whatever is cut"
        ),
        pytest.param(
            REPEATED, {"tool_results_keep": 2}, [], "KKKKKKK!!KK", id="it is no newest result"
        ),
        pytest.param(REPEATED, {"max_items": 4}, [], "TTTTTKK!!KK", id="it fills no window"),
        pytest.param(REPEATED, {"max_items": 6}, [], "TTTKKKK!!KK", id="nor a larger one"),
        pytest.param(REPEATED, {}, [TOLD], "KFFFFKK!!KK", id="it gives no note"),
        pytest.param(
            ("user: a", *PAIR, "user: b", "call c1 look: so x50", "result c1: x90", "user: c"),
            {"max_items": 3},
            [],
            "TTTKA!K",
            id="what it says stays",
        ),
        pytest.param(
            (
                "user: a x100",
                *PAIR,
                "user: b x50",
                "call c1 look x50",
                "result c1: x x90",
                "user: c",
            ),
            BUDGET,
            [],
            "KKKK!!K",
            id="it counts in no budget",
        ),
        pytest.param(
            (
                "user: a x10",
                *PAIR,
                "user: b x10",
                "call c1 look x90",
                "result c1: x x90",
                "user: c",
            ),
            {},
            [{"use": "token_limiter", "limit": 60}],
            "KKKK!!K",
            id="nor in a limiter's",
        ),
        pytest.param(
            ("user: a", "assistant: b", *PAIR, *OTHER, "call c1 look", "result c1: x", "user: c"),
            {"max_items": 2},
            [],
            "TKKKKK!!K",
            id="nor as an exchange",
        ),
        pytest.param(
            ("user: a", "result c9: lost", *PAIR, "call c8 look", *OTHER, "user: b"),
            {"tool_results_keep": 2, "max_items": 6},
            [],
            "K!KK!KKK",
            id="what was never paired is none either",
        ),
    ],
)
def test_an_unpaired_message_is_set_aside_before_any_stage(lines, values, chain, expected):
    assert of_transcript(planned(lines, values, *chain).plan) == expected


def test_the_first_of_an_id_counts_though_it_does_not_go_out():
    plan = planned(REPEATED, {}, exclusions=frozenset({1})).plan

    assert of_transcript(plan) == "KXXKKKK!!KK"
    assert plan.entry_at(7).reasons == (
        fact(Rule.UNPAIRED_CALL, why="repeats", call="c1", tool="look", then="removed"),
        fact(Rule.NOTHING_ELSE),
    )


def test_a_turn_costs_what_is_sent_of_it():
    """A registered pruner gets turns whose cost excludes unpaired messages, too."""
    seen = []
    registry.register_pruner("looking", lambda turns, *rest: seen.extend(turns) or 0)
    lines = ["user: a x300", *PAIR, "user: b", *AGAIN, "user: c"]

    planned(lines, {**BUDGET, "pruner": "looking"})

    assert [turn.tokens for turn in seen] == [325, 10, 10]


@pytest.fixture(autouse=True)
def _empty(empty_registry):
    """Forget after each test whatever the test registered."""
