"""Advice is one sentence, whatever setting it would change."""

import re

import pytest

from history.wording.replays.advice import (
    change_of,
    details_of,
    example_of,
    sentence_of,
    sentence_of_agent,
)

pytestmark = pytest.mark.words

WHERE = "Where something was left out or shortened, the model would have seen"
TURNS = {"least": 1, "mean": 9.5, "most": 9}
FACTS = {
    "turns": [101, 300],
    "as_it_is": {
        "money": "0.98",
        "sent": 1000,
        "cache_read": 120,
        "recency": {"turns": TURNS, "messages": {"least": 7, "mean": 7.0, "most": 7}},
    },
}


def variant(**recency):
    before = FACTS["as_it_is"]["recency"]
    seen = {"recency": before | recency}
    return {
        "changes": {"results_stride": 10},
        "money": "0.41",
        "sent": 1200,
        "cache_read": 972,
    } | seen


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"length_stride": 10}, "Moving the window in steps of 10"),
        ({"prefix": "stable"}, "Keeping the prefix stable"),
        ({"results_stride": 10}, "Leaving out tool results in steps of 10"),
        ({"length_stride": 10, "images_stride": 10}, "Moving all that is left out in steps of 10"),
        ({"tool_results_keep": 0}, "Keeping every tool result"),
        ({"images_keep": 0, "files_keep": 0}, "Keeping everything in full"),
        (
            {"token_budget": 10_000, "token_stride": 2_000},
            "A budget of 10,000 tokens that moves in steps",
        ),
    ],
)
def test_what_would_be_done(changes, expected):
    assert change_of(changes) == expected


@pytest.mark.parametrize(
    ("recency", "seen"),
    [
        ({}, "The model would have seen the same."),
        ({"turns": TURNS | {"most": 18}}, f"{WHERE} 1 to 18 turns instead of 1 to 9."),
        (
            {"messages": {"least": 7, "mean": 9.0, "most": 16}},
            f"{WHERE} 7 to 16 messages in full instead of 7.",
        ),
    ],
)
def test_what_would_be_seen(recency, seen):
    assert details_of(FACTS, variant(**recency)) == [
        "81% would have been read from the cache instead of 12%.",
        seen,
    ]


@pytest.mark.parametrize(
    "changes", [{"results_stride": 10}, {"token_budget": 10_000, "token_stride": 2_000}]
)
def test_the_sentence_has_four_numbers_at_most(changes):
    sentence = sentence_of(FACTS, variant() | {"changes": changes})

    assert sentence.endswith(
        " would have cost $0.410 instead of $0.980 over the last 200 turns, if the provider's "
        "cache is used."
    )
    assert len(re.findall(r"[\d.,]*\d", sentence)) == 4


def test_an_agents_says_over_how_many_chats():
    sentence = sentence_of_agent(2, 3, FACTS, variant())

    assert "instead of $0.980 over 3 turns of the newest 2 chats, if " in sentence


def test_prices_of_another_model_are_named_and_called_an_example():
    facts = FACTS | {"priced_as": "openai/gpt-4o"}

    assert example_of(facts) == (
        "The demo model is free. These amounts are an example, at the prices of gpt-4o."
    )
    assert example_of(FACTS | {"priced_as": ""}) == example_of(FACTS) == ""
