import json

import pytest

from history.core.settings.caps import LENGTH_MAX, TOKEN_BUDGET_MAX, Caps
from history.core.settings.layers import Layer, environment_layer, url_layer
from history.core.settings.resolution import resolve
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.core.words.facts import Rule, fact
from tests.history.core.making import template

CAPS = Caps(length=50, token_budget=8_000)


def held(settings, name):
    winner = settings[name].winner
    return (winner.raw, winner.value, winner.reason, winner.capped)


@pytest.mark.parametrize(
    ("layer", "raw"),
    [
        pytest.param(url_layer("historyLength=10000"), "10000", id="address"),
        pytest.param(
            Layer(LayerName.CONVERSATION, "conversation", {"length": 10_000}),
            10_000,
            id="conversation",
        ),
        pytest.param(template(length=10_000), 10_000, id="template"),
        pytest.param(Layer(LayerName.SITE, "site", {"length": 10_000}), 10_000, id="site"),
        pytest.param(
            Layer(LayerName.BUILT_IN, "built-in", {"length": 10_000}), 10_000, id="built-in"
        ),
    ],
)
def test_what_is_asked_beyond_a_cap_is_lowered(layer, raw):
    reason = fact(Rule.CAPPED, asked=10_000, cap=50, variable=LENGTH_MAX)

    assert held(resolve([layer], CAPS), "length") == (raw, 50, reason, True)


@pytest.mark.parametrize("length", [0, 1, 50])
def test_what_is_within_a_cap_stays(length):
    assert held(resolve([template(length=length)], CAPS), "length") == (length, length, None, False)


def test_the_environment_is_above_its_caps():
    variables = {
        "DEFAULT_HISTORY_POLICY": "all",
        "DEFAULT_HISTORY_LENGTH": "100",
        "HISTORY_TOKEN_BUDGET": "9000",
    }
    settings = resolve([environment_layer(variables)], CAPS)

    assert [settings.value(n) for n in ("policy", "length", "token_budget")] == ["all", 100, 9_000]
    assert not any(setting.winner.capped for setting in settings.values())


@pytest.mark.parametrize(
    ("values", "value", "asked"),
    [
        pytest.param({}, 8_000, None, id="unset"),
        pytest.param(
            {"token_budget": 9_000},
            8_000,
            9_000,
            id="above",
        ),
    ],
)
def test_the_token_budget_has_a_cap_too(values, value, asked):
    winner = resolve([template(**values)], CAPS)["token_budget"].winner
    reason = fact(Rule.CAPPED, asked=asked, cap=8_000, variable=TOKEN_BUDGET_MAX)

    assert (winner.value, winner.reason) == (value, reason)


def test_a_token_budget_within_its_cap_stays():
    assert held(resolve([template(token_budget=500)], CAPS), "token_budget") == (
        500,
        500,
        None,
        False,
    )


def test_all_acts_as_last_n_with_the_cap_as_its_length():
    settings = resolve([template(policy="all", length=5)], CAPS)

    assert held(settings, "policy") == (
        "all",
        "lastN",
        fact(Rule.ALL_AS_LAST, length=50, variable=LENGTH_MAX),
        True,
    )
    assert held(settings, "length") == (
        5,
        50,
        fact(Rule.ALL_CAPPED, cap=50, variable=LENGTH_MAX),
        True,
    )


def test_all_never_changes_a_length_of_the_environment():
    layers = [environment_layer({"DEFAULT_HISTORY_LENGTH": "7"}), template(policy="all")]
    settings = resolve(layers, CAPS)

    assert held(settings, "length") == ("7", 7, None, False)
    assert held(settings, "policy")[1:3] == (
        "lastN",
        fact(Rule.ALL_AS_LAST, length=7, variable=LENGTH_MAX),
    )


def test_without_a_cap_on_the_length_all_is_all():
    settings = resolve([template(policy="all")], Caps(token_budget=8_000))

    assert (settings.value("policy"), settings.value("length")) == ("all", 20)


def test_a_loser_keeps_what_it_asked():
    site = Layer(LayerName.SITE, "site", {"length": 9_000})
    settings = resolve([template(length=10), site], CAPS)

    assert [(c.value, c.reason, c.capped) for c in settings["length"].candidates] == [
        (10, None, False),
        (9_000, fact(Rule.LOWER_RANK), False),
        (20, fact(Rule.LOWER_RANK), False),
    ]


def test_what_was_not_taken_as_asked_is_every_loser_and_the_capped_winner():
    settings = resolve([template(length=9_000)], CAPS)

    assert [c.raw for c in settings["length"].unused] == [9_000, 20]
    assert [c.raw for c in settings["policy"].unused] == []


def test_capped_settings_go_to_json_and_back():
    settings = resolve([template(policy="all")], CAPS)

    assert Settings.from_dict(json.loads(json.dumps(settings.as_dict()))) == settings
