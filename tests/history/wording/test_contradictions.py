"""Sentences on settings that contradict each other."""

import pytest

from history.core.settings.caps import NO_CAPS, Caps
from history.core.settings.contradictions import Contradiction, Step, find
from history.core.settings.layers import environment_layer
from history.core.settings.resolution import resolve
from history.core.words.facts import Rule
from history.wording.deciding.contradictions import PROBLEMS, STEPS, sentence_of
from tests.history.core.making import template

SUMMARISING = environment_layer({"HISTORY_SUMMARIZE": "true"})


def said(layers, caps=NO_CAPS):
    return [sentence_of(found) for found in find(resolve(layers, caps), caps)]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        pytest.param(
            {"keep_recent": 100},
            "“Recent messages not summarised” 100 (agent demo v1) must be less than “Summarise "
            "at” 100 (built-in), or there is nothing to summarise: lower “Recent messages not "
            "summarised” or raise “Summarise at”.",
            id="nothing to summarise",
        ),
        pytest.param(
            {"summarize": True, "policy": "none"},
            "“History policy” none (agent demo v1) sends no summaries, but “Summarise” on "
            "(agent demo v1) turns them on: turn “Summarise” off or choose another “History "
            "policy”.",
            id="summaries never sent",
        ),
        pytest.param(
            {"summarize": True, "policy": "all", "max_items": 40},
            "“History window (items)” 40 (agent demo v1) limits what is sent, but up to 100 "
            "messages wait for a summary (“Summarise” on (agent demo v1), “Summarise at” 100 "
            "(built-in)), so some are neither sent nor summarised: raise “History window (items)” "
            "to 100, lower “Summarise at” or turn “Summarise” off.",
            id="history window below the trigger",
        ),
        pytest.param(
            {"summarize": True, "length": 50, "summarize_every": 2_000},
            "“History length” 50 (agent demo v1) sends about 100 messages, but up to 2,010 "
            "wait for a summary (“Summarise” on (agent demo v1), “Recent messages not "
            "summarised” 10 (built-in), “Summarise again every” 2,000 (agent demo v1)), so "
            "some are neither sent nor summarised: raise “History length” to 1,005, set “History "
            "policy” to all, lower “Recent messages not summarised”, lower “Summarise again "
            "every” or turn “Summarise” off.",
            id="later summaries too far apart",
        ),
        pytest.param(
            {"output_reserve": 8_192},
            "“Output reserve” 8,192 (agent demo v1) uses up all of “Context window” 8,192 "
            "(assumed): lower “Output reserve” or raise “Context window”.",
            id="reserve fills the window",
        ),
        pytest.param(
            {"token_stride": 5_000},
            "“Token budget step” 5,000 (agent demo v1) must be less than the 4,096 tokens that "
            "“Context window” 8,192 (assumed) leaves after “Output reserve” 4,096 (built-in), or a "
            "cut would remove every older turn: lower “Token budget step”.",
            id="grid wider than the budget",
        ),
        pytest.param(
            {"pruner": "sliding_window", "sliding_window_turns": 2},
            "“Sliding window (turns)” 2 (agent demo v1) must be at least “Protected turns” 3 "
            "(built-in), because no pruner removes protected turns: raise "
            "“Sliding window (turns)” or lower “Protected turns”.",
            id="window below what is protected",
        ),
    ],
)
def test_a_sentence_names_values_sources_and_the_ways_out(values, sentence):
    assert said([template(**values)]) == [sentence]


def test_a_cap_is_named_where_it_causes_one_and_where_it_closes_a_way():
    (sentence,) = said([SUMMARISING, template(length=60)], Caps(length=30))

    assert sentence.startswith(
        "“History length” 30 (agent demo v1; 60 requested; the server allows 30 "
        "(HISTORY_LENGTH_MAX)) sends about"
    )
    assert sentence.endswith(
        ": lower “Summarise at” or turn “Summarise” off; HISTORY_LENGTH_MAX allows no more than 30."
    )


def test_a_summary_model_that_cannot_be_used_is_a_sentence_without_a_way():
    model = resolve([template(summary_model="no/such")])["summary_model"]
    found = Contradiction(Rule.MODEL_REFUSED, (model,), figures={"why": "no such provider"})

    assert sentence_of(found) == (
        "“Summary model” no/such (agent demo v1) can't be used: no such provider"
    )


def test_every_step_has_its_words():
    assert STEPS.keys() == set(Step)
    assert not PROBLEMS.keys() - set(Rule)
