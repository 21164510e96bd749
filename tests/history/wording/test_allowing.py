"""Sentences on the server's limits, and on what applies to people who asked for more."""

import pytest

from history.core.settings.caps import Caps
from history.core.settings.layers import Layer, environment_layer, url_layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.wording.deciding.allowing import allowed, most, most_turns
from tests.history.core.making import template

STEPS = environment_layer({"HISTORY_LENGTH_STRIDE": "5"})


def chat(**values):
    return Layer(LayerName.CONVERSATION, "conversation", values)


@pytest.mark.parametrize(
    ("layers", "length", "sentence"),
    [
        ([], 10, "The server allows at most 10 turns (HISTORY_LENGTH_MAX)."),
        ([], 1, "The server allows at most 1 turn (HISTORY_LENGTH_MAX)."),
        (
            [STEPS],
            10,
            "The server allows a length of at most 10 (HISTORY_LENGTH_MAX), and moves the window "
            "in steps.",
        ),
    ],
    ids=["turns", "one", "the server's own steps"],
)
def test_a_maximum_is_said_with_its_variable(layers, length, sentence):
    settings, caps = resolve(layers), Caps(length=length)

    assert most(settings, "length", caps.on(settings["length"]), is_staff=True) == sentence


@pytest.mark.parametrize(
    ("layers", "turns"), [([template(length=6, length_stride=3)], 10), ([STEPS], 14)]
)
def test_only_the_servers_own_steps_add_to_its_maximum(layers, turns):
    settings = resolve(layers, Caps(length=10))

    assert most_turns(settings, Caps(length=10).on(settings["length"])) == turns


def test_where_the_server_sets_the_value_there_is_no_maximum():
    settings = resolve([environment_layer({"DEFAULT_HISTORY_LENGTH": "50"})])

    assert Caps(length=10).on(settings["length"]) is None


@pytest.mark.parametrize(
    ("layers", "caps", "sentences"),
    [
        (
            [chat(length=40)],
            Caps(length=10),
            ["The server allows at most 10 turns, so 10 are remembered."],
        ),
        (
            [chat(policy="all", length=40)],
            Caps(length=10),
            ["The server allows at most 10 turns, so 10 are remembered."],
        ),
        (
            [chat(length=40)],
            Caps(length=1),
            ["The server allows at most 1 turn, so every message stands alone."],
        ),
        (
            [chat(length=40), STEPS],
            Caps(length=10),
            [
                "The server allows a length of at most 10 and moves the window in steps of 5, so "
                "at least the last 10 turns are remembered, and up to 14."
            ],
        ),
        (
            [chat(token_budget=9_000)],
            Caps(token_budget=5_000),
            ["The server allows at most 5,000 tokens, so that is the token budget."],
        ),
        ([chat(length=10)], Caps(length=10), []),
        ([chat(max_items=5), template(length=40)], Caps(length=10), []),
        ([chat(length=40), url_layer("historyLength=50")], Caps(length=10), []),
    ],
    ids=["turns", "all", "one", "steps", "tokens", "allowed", "the agent's", "outranked"],
)
def test_what_applies_is_said_to_whoever_asked_for_more(layers, caps, sentences):
    assert list(allowed(resolve(layers, caps), LayerName.CONVERSATION)) == sentences
