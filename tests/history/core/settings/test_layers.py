import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.settings.layers import environment_layer, url_layer, validate
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.core.stages.policies import POLICIES
from history.core.words.errors import SettingErrors
from history.core.words.facts import Rule, fact

OLD_SPELLING, BOOLEAN = "NEXT_PUBLIC_DEFAULT_HISTORY_POLICY", "HISTORY_PRESERVE_SYSTEM_MESSAGES"
CHOICES = ["none", "lastN", "all"]
UP_TO = {"least": 0, "most": 10_000}
OF_A_CHAT = ["policy", "length", "max_items", "token_budget", "pruner"]
OF_A_CHAT += ["tool_results_keep", "images_keep", "files_keep"]
OF_A_CHAT += ["reasoning_keep", "reasoning_effort", "summarize"]


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
    assert source in ("environment", f"env {layer.variables.get('length')}")


@pytest.mark.parametrize(
    ("variables", "rule", "name"),
    [
        ({"DEFAULT_HISTORY_LENGTH": "5abc"}, Rule.NO_NUMBER, "DEFAULT_HISTORY_LENGTH"),
        ({OLD_SPELLING: "ALL"}, Rule.NO_CHOICE, OLD_SPELLING),
        ({"HISTORY_PRESERVE_SYSTEM_MESSAGES": "yes"}, Rule.NO_BOOLEAN, BOOLEAN),
        ({"HISTORY_CONTEXT_WINDOW": "100"}, Rule.NO_NUMBER, "HISTORY_CONTEXT_WINDOW"),
    ],
)
def test_a_bad_variable_stops_the_start(variables, rule, name):
    with pytest.raises(SettingErrors) as error:
        environment_layer(variables)

    (found,) = error.value.by_setting.values()
    assert (found.rule, found.figures["name"]) == (rule, name)
    assert found.figures["value"] == variables[name]


def test_two_spellings_of_a_variable_may_not_differ():
    given = {"DEFAULT_HISTORY_POLICY": "all", OLD_SPELLING: "none"}
    with pytest.raises(SettingErrors) as error:
        environment_layer(given)

    assert error.value.by_setting == {"policy": fact(Rule.VARIABLES_DIFFER, given=given)}


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
    ("layer", "values", "wrong"),
    [
        pytest.param(
            LayerName.TEMPLATE,
            {"length": 10_001},
            {"length": fact(Rule.NO_NUMBER, name="length", value="10001", **UP_TO)},
            id="out of range",
        ),
        pytest.param(
            LayerName.TEMPLATE,
            {"length": "5", "policy": "ALL"},
            {
                "length": fact(Rule.NO_NUMBER, name="length", value="5", **UP_TO),
                "policy": fact(
                    Rule.NO_CHOICE, name="policy", value="ALL", choices=["none", "lastN", "all"]
                ),
            },
            id="one fact for each setting",
        ),
        pytest.param(
            LayerName.SITE,
            {"context_window": 4_096},
            {
                "context_window": fact(
                    Rule.MAY_NOT_SET,
                    name="context_window",
                    layer="site",
                    allowed=["environment", "template"],
                )
            },
            id="not this layer's",
        ),
        pytest.param(
            LayerName.CONVERSATION,
            {"lenght": 5},
            {"lenght": fact(Rule.NO_SETTING, name="lenght", layer="conversation", known=OF_A_CHAT)},
            id="unknown",
        ),
        pytest.param(
            LayerName.SITE,
            ["length"],
            {"": fact(Rule.NO_OBJECT, layer="site")},
            id="not an object",
        ),
    ],
)
def test_what_may_not_be_stored(layer, values, wrong):
    with pytest.raises(SettingErrors) as error:
        validate(layer, values)

    assert error.value.by_setting == wrong


def test_null_is_unset():
    assert validate(LayerName.TEMPLATE, {"length": None, "policy": "all"}) == {"policy": "all"}
