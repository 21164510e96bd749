import json

import pytest

from history.core.settings.caps import Caps
from history.core.settings.layers import Layer, environment_layer, stored_layer, url_layer
from history.core.settings.resolution import resolve
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName

CAPS = Caps(length=50, token_budget=8_000)


def template(**values):
    return stored_layer(LayerName.TEMPLATE, "template demo v1", values)


def held(settings, name):
    winner = settings[name].winner
    return (winner.raw, winner.value, winner.reason, settings[name].capped)


@pytest.mark.parametrize(
    ("layer", "raw"),
    [
        pytest.param(url_layer("historyLength=10000"), "10000", id="address"),
        pytest.param(
            stored_layer(LayerName.CONVERSATION, "conversation", {"length": 10_000}),
            10_000,
            id="conversation",
        ),
        pytest.param(template(length=10_000), 10_000, id="template"),
        pytest.param(stored_layer(LayerName.SITE, "site", {"length": 10_000}), 10_000, id="site"),
        pytest.param(
            Layer(LayerName.BUILT_IN, "built-in", {"length": 10_000}), 10_000, id="built-in"
        ),
    ],
)
def test_what_is_asked_beyond_a_cap_is_lowered(layer, raw):
    reason = "10,000 asked; capped at 50 by HISTORY_LENGTH_MAX"

    assert held(resolve([layer], CAPS), "length") == (raw, 50, reason, True)


@pytest.mark.parametrize("length", [0, 1, 50])
def test_what_is_within_a_cap_stays(length):
    assert held(resolve([template(length=length)], CAPS), "length") == (length, length, "", False)


def test_the_environment_is_above_its_caps():
    variables = {
        "DEFAULT_HISTORY_POLICY": "all",
        "DEFAULT_HISTORY_LENGTH": "100",
        "HISTORY_TOKEN_BUDGET": "9000",
    }
    settings = resolve([environment_layer(variables)], CAPS)

    assert [settings.value(n) for n in ("policy", "length", "token_budget")] == ["all", 100, 9_000]
    assert not any(setting.capped for setting in settings.values())


@pytest.mark.parametrize(
    ("values", "value", "reason"),
    [
        pytest.param({}, 8_000, "unset; capped at 8,000 by HISTORY_TOKEN_BUDGET_MAX", id="unset"),
        pytest.param(
            {"token_budget": 9_000},
            8_000,
            "9,000 asked; capped at 8,000 by HISTORY_TOKEN_BUDGET_MAX",
            id="above",
        ),
        pytest.param({"token_budget": 500}, 500, "", id="below"),
    ],
)
def test_the_token_budget_has_a_cap_too(values, value, reason):
    winner = resolve([template(**values)], CAPS)["token_budget"].winner

    assert (winner.value, winner.reason) == (value, reason)


def test_all_acts_as_last_n_with_the_cap_as_its_length():
    settings = resolve([template(policy="all", length=5)], CAPS)

    assert held(settings, "policy") == (
        "all",
        "lastN",
        "all asked; acts as lastN 50, capped by HISTORY_LENGTH_MAX",
        True,
    )
    assert held(settings, "length") == (
        5,
        50,
        "policy all is capped at 50 by HISTORY_LENGTH_MAX",
        True,
    )


def test_all_never_changes_a_length_of_the_environment():
    layers = [environment_layer({"DEFAULT_HISTORY_LENGTH": "7"}), template(policy="all")]
    settings = resolve(layers, CAPS)

    assert held(settings, "length") == ("7", 7, "", False)
    assert held(settings, "policy")[1:3] == (
        "lastN",
        "all asked; acts as lastN 7, capped by HISTORY_LENGTH_MAX",
    )


def test_without_a_cap_on_the_length_all_is_all():
    settings = resolve([template(policy="all")], Caps(token_budget=8_000))

    assert (settings.value("policy"), settings.value("length")) == ("all", 20)


def test_a_loser_keeps_what_it_asked():
    site = stored_layer(LayerName.SITE, "site", {"length": 9_000})
    settings = resolve([template(length=10), site], CAPS)

    assert [(c.value, c.reason, c.capped) for c in settings["length"].candidates] == [
        (10, "", False),
        (9_000, "lower rank", False),
        (20, "lower rank", False),
    ]


def test_what_was_not_taken_as_asked_is_every_loser_and_the_capped_winner():
    settings = resolve([template(length=9_000)], CAPS)

    assert [c.raw for c in settings["length"].unused] == [9_000, 20]
    assert [c.raw for c in settings["policy"].unused] == []


def test_capped_settings_go_to_json_and_back():
    settings = resolve([template(policy="all")], CAPS)

    assert Settings.from_dict(json.loads(json.dumps(settings.as_dict()))) == settings
