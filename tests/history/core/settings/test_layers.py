import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.errors import SettingErrors
from history.core.settings.layers import environment_layer, stored_layer, url_layer, validate
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.core.stages.policies import POLICIES


@pytest.mark.parametrize(
    ("variables", "values", "source"),
    [
        pytest.param({}, {}, "environment", id="nothing set"),
        pytest.param({"DEFAULT_HISTORY_LENGTH": ""}, {}, "environment", id="empty is unset"),
        pytest.param({"PATH": "/bin"}, {}, "environment", id="others are not ours"),
        pytest.param(
            {"DEFAULT_HISTORY_LENGTH": "0"},
            {"length": "0"},
            "env DEFAULT_HISTORY_LENGTH",
            id="0 is a value",
        ),
        pytest.param(
            {"NEXT_PUBLIC_DEFAULT_HISTORY_LENGTH": "5"},
            {"length": "5"},
            "env NEXT_PUBLIC_DEFAULT_HISTORY_LENGTH",
            id="the older spelling",
        ),
        pytest.param(
            {"DEFAULT_HISTORY_LENGTH": "5", "NEXT_PUBLIC_DEFAULT_HISTORY_LENGTH": "05"},
            {"length": "5"},
            "env DEFAULT_HISTORY_LENGTH",
            id="both spellings, the same value",
        ),
        pytest.param(
            {"DEFAULT_HISTORY_LENGTH": "", "NEXT_PUBLIC_DEFAULT_HISTORY_LENGTH": "7"},
            {"length": "7"},
            "env NEXT_PUBLIC_DEFAULT_HISTORY_LENGTH",
            id="an empty one does not count",
        ),
    ],
)
def test_the_environment(variables, values, source):
    layer = environment_layer(variables)

    assert layer.values == values
    assert layer.source_of("length") == source


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        (
            {"DEFAULT_HISTORY_LENGTH": "5abc"},
            "environment: DEFAULT_HISTORY_LENGTH=5abc: must be a whole number from 0 to 10,000",
        ),
        (
            {"NEXT_PUBLIC_DEFAULT_HISTORY_POLICY": "ALL"},
            "environment: NEXT_PUBLIC_DEFAULT_HISTORY_POLICY=ALL: must be none, lastN or all",
        ),
        (
            {"DEFAULT_HISTORY_POLICY": "all", "NEXT_PUBLIC_DEFAULT_HISTORY_POLICY": "none"},
            "environment: DEFAULT_HISTORY_POLICY=all and NEXT_PUBLIC_DEFAULT_HISTORY_POLICY=none "
            "differ: set one of them",
        ),
        (
            {"HISTORY_PRESERVE_SYSTEM_MESSAGES": "yes"},
            "environment: HISTORY_PRESERVE_SYSTEM_MESSAGES=yes: must be true or false",
        ),
        (
            {"HISTORY_CONTEXT_WINDOW": "100"},
            "environment: HISTORY_CONTEXT_WINDOW=100: must be a whole number from 512"
            " to 1,000,000,000",
        ),
    ],
)
def test_a_bad_variable_stops_the_start(variables, message):
    with pytest.raises(SettingErrors) as error:
        environment_layer(variables)

    assert error.value.messages == (message,)


def test_all_bad_variables_are_named_at_once():
    with pytest.raises(SettingErrors) as error:
        environment_layer({"DEFAULT_HISTORY_POLICY": "x", "DEFAULT_HISTORY_LENGTH": "y"})

    assert set(error.value.by_setting) == {"policy", "length"}


@pytest.mark.parametrize(
    ("query", "values"),
    [
        pytest.param("", {}, id="none"),
        pytest.param("agent=demo&debug=true", {}, id="other parameters"),
        pytest.param("historyPolicy=all", {"policy": "all"}, id="policy"),
        pytest.param(
            "?historyPolicy=all&historyLength=0", {"policy": "all", "length": "0"}, id="?"
        ),
        pytest.param("historyLength=", {"length": ""}, id="empty"),
        pytest.param("historyLength", {"length": ""}, id="bare"),
        pytest.param("historyLength=5&historyLength=5", {"length": ("5", "5")}, id="repeated"),
        pytest.param("historyLength=%00", {"length": "\ufffd"}, id="NUL"),
        pytest.param("historyLength=%ff", {"length": "\ufffd"}, id="not UTF-8"),
        pytest.param("historyLength=\udc80", {"length": "\ufffd"}, id="a lone surrogate"),
        pytest.param("historyLength=%2B5", {"length": "+5"}, id="a sign"),
        pytest.param("historyLength=+5", {"length": " 5"}, id="a blank"),
        pytest.param("HistoryLength=5", {}, id="another spelling is another parameter"),
        pytest.param("length=5&contextWindow=9", {}, id="our own names are not parameters"),
    ],
)
def test_the_url(query, values):
    assert url_layer(query).values == values


def test_a_long_url_value_is_cut_and_so_stays_invalid():
    (_, candidate) = resolve([url_layer("historyLength=" + "1" * 9_000)]).invalid[0]

    assert candidate.raw == "1" * 40 + "\N{HORIZONTAL ELLIPSIS}"


@given(st.text(max_size=40))
def test_whatever_an_address_holds_the_settings_are_good(text):
    for query in (text, f"historyLength={text}", f"historyPolicy={text}&historyLength={text}"):
        settings = resolve([url_layer(query)])

        assert settings.value("policy") in POLICIES
        assert settings.value("length") in range(10_001)


@pytest.mark.parametrize(
    ("layer", "values", "messages"),
    [
        pytest.param(
            LayerName.TEMPLATE,
            {"length": 10_001},
            ["length=10001: must be a whole number from 0 to 10,000"],
            id="out of range",
        ),
        pytest.param(
            LayerName.TEMPLATE,
            {"length": "5", "policy": "ALL"},
            [
                "length=5: must be a whole number from 0 to 10,000",
                "policy=ALL: must be none, lastN or all",
            ],
            id="one message for each setting",
        ),
        pytest.param(
            LayerName.SITE,
            {"context_window": 4_096},
            ["context_window: site may not set it, only environment, template"],
            id="not this layer's",
        ),
        pytest.param(
            LayerName.CONVERSATION,
            {"lenght": 5},
            [
                "lenght (conversation): no such setting; there are policy, length, max_items, "
                "token_budget, pruner, tool_results_keep, summarize"
            ],
            id="unknown",
        ),
        pytest.param(
            LayerName.SITE,
            ["length"],
            ["site settings: must be an object of names and values"],
            id="not an object",
        ),
    ],
)
def test_what_may_not_be_stored(layer, values, messages):
    with pytest.raises(SettingErrors) as error:
        validate(layer, values)

    assert list(error.value.messages) == messages


def test_null_is_unset():
    layer = stored_layer(LayerName.TEMPLATE, "template demo v1", {"length": None, "policy": "all"})

    assert layer.values == {"policy": "all"}
