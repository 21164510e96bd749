"""Sentences on an agent's memory are computed from its settings."""

import pytest

from history.core.settings.caps import Caps
from history.core.settings.layers import Layer, environment_layer, url_layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.wording.remembering import (
    drawn_by,
    length_range,
    length_unit,
    remembers,
    set_by,
    value_set_by,
)
from tests.history.core.making import settings_of, template

NOTHING = "Remembers nothing: every message stands alone."
EVERYTHING = "Remembers everything that fits in the context window."


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "Remembers the last 20 turns."),
        ({"length": 1_200}, "Remembers the last 1,200 turns."),
        ({"length_stride": 10}, "Remembers the last 20 to 29 turns."),
        ({"prefix": "stable"}, "Remembers the last 20 to 29 turns."),
        ({"prefix": "stable", "length_stride": 1}, "Remembers the last 20 turns."),
        (
            {"policy": "all", "max_items": 40, "prefix": "stable", "token_budget": 8_000},
            f"{EVERYTHING} Never more than 40 messages. Never more than 8,000 tokens.",
        ),
        ({"length": 0, "length_stride": 5}, "Remembers the last 1 to 5 turns."),
        ({"length": 1}, NOTHING),
        ({"length": 0}, NOTHING),
        ({"policy": "none"}, NOTHING),
        ({"policy": "none", "max_items": 40, "length_stride": 10}, NOTHING),
        ({"policy": "all"}, EVERYTHING),
        ({"policy": "all", "length": 3, "length_stride": 10}, EVERYTHING),
        ({"policy": "all", "summarize": True}, f"{EVERYTHING} Older messages become a summary."),
        ({"max_items": 40}, "Remembers the last 20 turns. Never more than 40 messages."),
        (
            {"policy": "all", "max_items": 40, "length_stride": 10, "token_budget": 8_000},
            f"{EVERYTHING} Never more than 49 messages. Never more than 8,000 tokens.",
        ),
    ],
    ids=str,
)
def test_the_sentence_follows_the_settings(values, sentence):
    assert remembers(settings_of(**values)) == sentence


@pytest.mark.parametrize(
    ("layers", "sentence"),
    [
        ([template(length=20, length_stride=10)], "Remembers the last 10 turns."),
        ([template(length=6, length_stride=5)], "Remembers the last 6 to 10 turns."),
        (
            [
                template(length=20, length_stride=10),
                environment_layer({"HISTORY_LENGTH_STRIDE": "10"}),
            ],
            "Remembers the last 10 to 19 turns.",
        ),
    ],
    ids=["beyond the cap", "within it", "the server's own steps"],
)
def test_a_maximum_counts_the_steps_too(layers, sentence):
    assert remembers(resolve(layers, Caps(length=10))) == sentence


MESSAGES = template(policy="all", max_items=50)


@pytest.mark.parametrize(
    ("layers", "caps", "sentence"),
    [
        (
            [environment_layer({"DEFAULT_HISTORY_LENGTH": "5"}), template(max_items=50)],
            Caps(),
            "Remembers the last 5 turns. Set by the server. Never more than 50 messages.",
        ),
        (
            [MESSAGES],
            Caps(token_budget=2_000),
            f"{EVERYTHING} Never more than 50 messages. The server allows at most 2,000 tokens.",
        ),
        (
            [environment_layer({"HISTORY_MAX_ITEMS": "60"}), MESSAGES],
            Caps(),
            f"{EVERYTHING} The server allows at most 60 messages.",
        ),
    ],
    ids=["turns", "cap", "messages"],
)
def test_only_what_the_server_sets_is_credited_to_it(layers, caps, sentence):
    settings = resolve(layers, caps)

    assert remembers(settings, why=set_by(settings)) == sentence


def test_an_agent_that_can_search_says_so():
    assert remembers(settings_of(policy="none"), can_search=True) == (
        f"{NOTHING} Can search older messages."
    )


IN_STEPS = template(length=20, length_stride=10)
STEPS = environment_layer({"HISTORY_LENGTH_STRIDE": "10"})
TRIED = Layer(LayerName.WHAT_IF, "what if", {"length": 3})
CHAT = Layer(LayerName.CONVERSATION, "conversation", {"length": 7})


@pytest.mark.parametrize(
    ("layers", "caps", "said"),
    [
        ([template(length=3)], Caps(), ""),
        ([url_layer("historyLength=3")], Caps(), "Set in the address."),
        ([url_layer("historyPolicy=all")], Caps(), "Set in the address."),
        ([url_layer("historyLength=3"), template(policy="all")], Caps(), ""),
        ([CHAT, template(length=3)], Caps(), "Set for this chat."),
        ([url_layer("historyPolicy=lastN"), CHAT], Caps(), "Set for this chat."),
        ([url_layer("historyLength=3"), CHAT], Caps(), "Set in the address."),
        ([TRIED, CHAT], Caps(), "Set by a what-if."),
        (
            [environment_layer({"DEFAULT_HISTORY_LENGTH": "5"}), url_layer("historyLength=3")],
            Caps(),
            "Set by the server.",
        ),
        ([template(policy="all")], Caps(length=5), "Limited by the server."),
        ([IN_STEPS], Caps(length=5), "Limited by the server."),
        ([IN_STEPS, STEPS], Caps(length=5), "Set by the server."),
    ],
    ids=[
        *("template", "address", "address's policy", "no part", "chat"),
        *("chat's length with the address's policy", "address's length", "what-if", "lock", "cap"),
        *("cap that refuses steps", "cap in the server's own steps"),
    ],
)
def test_who_set_it_is_said_if_it_is_not_the_agents_own(layers, caps, said):
    assert set_by(resolve(layers, caps)) == said


@pytest.mark.parametrize(
    ("layers", "said"),
    [
        ([template(length=20, length_stride=10)], "Set by the agent Demo."),
        ([Layer(LayerName.SITE, "site", {"length": 5})], "Set for every agent."),
        ([], "That is the default."),
    ],
    ids=["template", "site", "built-in"],
)
def test_who_drew_the_line_is_always_said(layers, said):
    sentence = drawn_by(resolve(layers, Caps()), "Demo")

    assert sentence.startswith("Remembers the last ")
    assert sentence.endswith(f"turns. {said}")


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ({"length": 20}, "20 turns"),
        ({"length": 1}, "1 turn"),
        ({"length": 20, "length_stride": 10}, "20 to 29 turns, in steps of 10"),
        ({"length": 0, "length_stride": 3}, "1 to 3 turns, in steps of 3"),
        ({"policy": "all", "length": 20}, "20 (not used)"),
    ],
)
def test_beside_a_length_stands_what_it_counts(values, unit):
    settings = settings_of(**values)
    assert f"{length_range(settings)} {length_unit(settings)}" == unit


@pytest.mark.parametrize(
    ("layers", "caps", "name", "said"),
    [
        (
            [Layer(LayerName.CONVERSATION, "conversation", {"tool_results_keep": 5})],
            Caps(),
            "tool_results_keep",
            "Tool results kept in full: 5. Set for this chat.",
        ),
        (
            [template(max_items=40)],
            Caps(),
            "max_items",
            "History window (items): 40. Set by the agent Demo.",
        ),
        (
            [Layer(LayerName.BUILT_IN, "model catalogue", {"context_window": 8_000})],
            Caps(),
            "context_window",
            "Context window: 8,000. From: model catalogue.",
        ),
        (
            [template(token_budget=9_000)],
            Caps(token_budget=500),
            "token_budget",
            "Token budget: 500. Limited by the server.",
        ),
    ],
    ids=["chat", "template", "model", "cap"],
)
def test_who_set_a_single_setting_is_said(layers, caps, name, said):
    assert value_set_by(resolve(layers, caps), name, "Demo") == said
