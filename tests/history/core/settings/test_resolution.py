import json
from itertools import permutations, product

import pytest

from history.core.settings.layers import Layer, Refusal, environment_layer, url_layer
from history.core.settings.resolution import resolve
from history.core.settings.resolved import CandidateOutcome, Settings
from history.core.settings.spec import LayerName
from history.core.words.errors import SettingError
from history.core.words.facts import Rule, fact


def named(rule, name, value, **figures):
    return fact(rule, name=name, value=value, **figures)


def template(**values):
    return Layer(LayerName.TEMPLATE, "agent demo v12", values)


def conversation(**values):
    return Layer(LayerName.CONVERSATION, "conversation", values)


def site(**values):
    return Layer(LayerName.SITE, "site", values)


def outcomes(settings, name):
    """Return each candidate's layer, its outcome, and the rule that decided."""
    return [
        (str(c.layer), str(c.outcome), c.reason and c.reason.rule)
        for c in settings[name].candidates
    ]


LAYERS = [
    environment_layer({"DEFAULT_HISTORY_LENGTH": "1"}),
    url_layer("historyLength=2"),
    conversation(length=3),
    template(length=4),
    site(length=5),
]


@pytest.mark.parametrize("stronger", range(len(LAYERS)))
def test_the_strongest_layer_wins(stronger):
    assert resolve(LAYERS[stronger:]).value("length") == stronger + 1


def test_the_order_given_does_not_matter():
    results = [resolve(order).as_dict() for order in permutations(LAYERS)]

    assert results == [results[0]] * len(results)


def test_with_no_layer_the_built_in_values_hold():
    settings = resolve([])

    assert {name: settings.value(name) for name in settings} == {
        "policy": "lastN",
        "length": 20,
        "preserve_system_messages": True,
        "max_items": None,
        "token_budget": None,
        "context_window": 8_192,
        "output_reserve": 4_096,
        "pruner": "fifo",
        "sliding_window_turns": 10,
        "min_history_turns": 3,
        "max_message_tokens": None,
        "tool_results_keep": 0,
        "images_keep": 0,
        "files_keep": 0,
        "reasoning_keep": 0,
        "reasoning_effort": "default",
        "length_stride": 1,
        "results_stride": 1,
        "images_stride": 1,
        "files_stride": 1,
        "token_stride": 1,
        "prefix": "free",
        "summarize": False,
        "trigger_at": 100,
        "keep_recent": 10,
        "summarize_every": None,
        "max_checkpoints": 8,
        "summary_model": None,
    }
    assert settings["context_window"].winner.source == "assumed"
    assert settings["policy"].winner.source == "built-in"


ENVIRONMENTS = {
    "unset": {},
    "policy": {"DEFAULT_HISTORY_POLICY": "lastN"},
    "length": {"DEFAULT_HISTORY_LENGTH": "0"},
    "both": {"DEFAULT_HISTORY_POLICY": "lastN", "DEFAULT_HISTORY_LENGTH": "0"},
}
URLS = {
    "none": "",
    "policy": "historyPolicy=all",
    "length": "historyLength=7",
    "both": "historyPolicy=all&historyLength=7",
    "invalid": "historyPolicy=ALL&historyLength=-1",
}
TEMPLATES = {"set": {"policy": "none", "length": 4}, "unset": {}}
CONVERSATIONS = {"set": {"policy": "all", "length": 9}, "unset": {}}


def by_hand(environment, url, chat, agent):
    """Return the layers that supply policy and length, worked out here without the app's code."""
    open_to_people = environment == "unset"
    winners = {}
    for name in ("policy", "length"):
        if environment in (name, "both"):
            winners[name] = "environment"
        elif open_to_people and url in (name, "both"):
            winners[name] = "url"
        elif open_to_people and chat == "set":
            winners[name] = "conversation"
        else:
            winners[name] = "template" if agent == "set" else "built_in"
    return winners


@pytest.mark.parametrize(
    ("environment", "url", "chat", "agent"),
    list(product(ENVIRONMENTS, URLS, CONVERSATIONS, TEMPLATES)),
)
def test_the_lock_matrix(environment, url, chat, agent):
    settings = resolve(
        [
            environment_layer(ENVIRONMENTS[environment]),
            url_layer(URLS[url]),
            conversation(**CONVERSATIONS[chat]),
            template(**TEMPLATES[agent]),
        ]
    )
    winners = {name: str(settings[name].winner.layer) for name in ("policy", "length")}

    assert winners == by_hand(environment, url, chat, agent)
    assert {settings[name].locked for name in winners} == {environment != "unset"}
    assert len(settings.invalid) == (2 if url == "invalid" else 0)


def test_a_locked_length_names_every_loser():
    settings = resolve(
        [
            environment_layer({"DEFAULT_HISTORY_LENGTH": "5"}),
            url_layer("historyLength=5abc"),
            conversation(length=9),
            template(length=5),
            site(length=8),
        ]
    )

    assert outcomes(settings, "length") == [
        ("environment", "winner", None),
        ("url", "invalid", Rule.NO_NUMBER),
        ("conversation", "locked", Rule.LOCKED),
        ("template", "outranked", Rule.SAME_VALUE),
        ("site", "outranked", Rule.LOWER_RANK),
        ("built_in", "outranked", Rule.LOWER_RANK),
    ]


def test_a_url_value_equal_to_the_enforced_one_is_still_the_environments():
    settings = resolve(
        [environment_layer({"DEFAULT_HISTORY_LENGTH": "5"}), url_layer("historyLength=5")]
    )

    winner = settings["length"].winner
    assert (winner.source, winner.variable) == (
        "env DEFAULT_HISTORY_LENGTH",
        "DEFAULT_HISTORY_LENGTH",
    )


def test_other_settings_are_locked_one_by_one():
    settings = resolve([environment_layer({"HISTORY_OUTPUT_RESERVE": "100"})])

    assert {name for name in settings if settings[name].locked} == {"output_reserve"}


@pytest.mark.parametrize(
    ("variables", "stride", "source"),
    [
        pytest.param({"DEFAULT_HISTORY_LENGTH": "20"}, 1, "built-in", id="without one, 1"),
        pytest.param(
            {"DEFAULT_HISTORY_LENGTH": "20", "HISTORY_LENGTH_STRIDE": "5"},
            5,
            "env HISTORY_LENGTH_STRIDE",
            id="its own",
        ),
        pytest.param({"DEFAULT_HISTORY_POLICY": "lastN"}, 10, "site", id="no length, no matter"),
    ],
)
def test_a_length_of_the_environment_moves_by_its_own_stride(variables, stride, source):
    settings = resolve([environment_layer(variables), site(length_stride=10)])

    assert settings.value("length_stride") == stride
    assert settings["length_stride"].winner.source == source


def test_a_stride_that_does_not_apply_says_why():
    settings = resolve(
        [
            environment_layer({"DEFAULT_HISTORY_LENGTH": "20"}),
            template(length_stride=10),
            site(length_stride=5),
        ]
    )

    assert outcomes(settings, "length_stride") == [
        ("template", "refused", Rule.OWN_STRIDE),
        ("site", "refused", Rule.OWN_STRIDE),
        ("built_in", "winner", None),
    ]


@pytest.mark.parametrize(
    ("layers", "length", "stride"),
    [
        pytest.param([url_layer("historyLength=5")], 5, 1, id="the address's"),
        pytest.param([conversation(length=5)], 5, 1, id="a chat's"),
        pytest.param([url_layer("historyPolicy=lastN")], 20, 10, id="the template's own"),
        pytest.param([url_layer("historyLength=5abc")], 20, 10, id="an invalid one sets nothing"),
        pytest.param(
            [url_layer("historyLength=5"), environment_layer({"HISTORY_LENGTH_STRIDE": "3"})],
            5,
            3,
            id="the environment's stride is for every length",
        ),
        pytest.param([conversation(policy="all", length=5)], 5, 10, id="which all doesn't use"),
        pytest.param([conversation(max_items=40)], 20, 1, id="a chat's most messages"),
    ],
)
def test_a_length_of_the_address_or_a_chat_is_exact(layers, length, stride):
    settings = resolve([*layers, template(length=20, length_stride=10), site(length_stride=4)])

    assert (settings.value("length"), settings.value("length_stride")) == (length, stride)
    if stride == 1:
        assert outcomes(settings, "length_stride") == [
            ("template", "refused", Rule.OTHER_LENGTH),
            ("site", "refused", Rule.OTHER_LENGTH),
            ("built_in", "winner", None),
        ]


def test_a_refused_layer_says_why():
    url = url_layer("historyPolicy=all")
    refused = Layer(url.name, url.source, url.values, Refusal("HISTORY_URL_OVERRIDES", "staff"))

    asked = resolve([refused])["policy"].candidates[0]
    assert asked.outcome is CandidateOutcome.REFUSED
    assert asked.reason == fact(Rule.LAYER_REFUSED, variable="HISTORY_URL_OVERRIDES", who="staff")


def test_a_layer_cannot_set_what_is_not_its_own():
    settings = resolve([Layer(LayerName.CONVERSATION, "conversation", {"output_reserve": 1})])

    assert settings.value("output_reserve") == 4_096
    assert outcomes(settings, "output_reserve")[0] == (
        "conversation",
        "refused",
        Rule.MAY_NOT_SET,
    )


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("historyLength=", named(Rule.NO_NUMBER, "historyLength", "", least=0, most=10_000)),
        (
            "historyPolicy=lastn",
            named(Rule.NO_CHOICE, "historyPolicy", "lastn", choices=["none", "lastN", "all"]),
        ),
        (
            "historyPolicy=all&historyPolicy=none",
            named(Rule.REPEATED, "historyPolicy", "all and none", times=2),
        ),
    ],
)
def test_an_invalid_url_value_is_ignored_and_listed(query, reason):
    settings = resolve([url_layer(query), template(policy="none", length=3)])

    assert [candidate.reason for _, candidate in settings.invalid] == [reason]
    assert (settings.value("policy"), settings.value("length")) == ("none", 3)


def test_a_stored_value_that_went_bad_never_wins():
    settings = resolve([Layer(LayerName.TEMPLATE, "agent demo v1", {"length": "many"})])

    assert settings.value("length") == 20
    assert [name for name, _ in settings.invalid] == ["length"]


def test_a_setting_that_does_not_exist_is_an_error():
    with pytest.raises(SettingError) as error:
        resolve([Layer(LayerName.TEMPLATE, "agent demo v1", {"lenght": 5})])

    assert error.value.fact.rule is Rule.NO_SETTING
    assert error.value.fact.figures["name"] == "lenght"


@pytest.mark.parametrize(
    ("window", "sources"),
    [
        pytest.param(128_000, ["model catalogue"], id="the catalogue replaces the default"),
        pytest.param(8, ["model catalogue", "assumed"], id="an impossible one does not"),
        pytest.param(None, ["assumed"], id="an unknown one is assumed"),
    ],
)
def test_the_model_catalogue_is_a_built_in_layer(window, sources):
    layer = Layer(LayerName.BUILT_IN, "model catalogue", {"context_window": window})
    settings = resolve([layer])

    assert [c.source for c in settings["context_window"].candidates] == sources
    assert settings["context_window"].winner.source == sources[-1]


def test_settings_go_to_json_and_back():
    settings = resolve([*LAYERS, url_layer("historyPolicy=a&historyPolicy=b")])

    assert Settings.from_dict(json.loads(json.dumps(settings.as_dict()))) == settings


def test_what_an_older_plan_did_not_record_has_its_default():
    older = resolve([template(length=4)]).as_dict()
    del older["pruner"], older["max_items"], older["length"]["candidates"][0]["capped"]

    settings = Settings.from_dict(json.loads(json.dumps(older)))

    assert (settings.value("length"), settings["length"].winner.capped) == (4, False)
    assert [(settings.value(n), settings[n].winner.source) for n in ("pruner", "max_items")] == [
        ("fifo", "not recorded: older plan"),
        (None, "not recorded: older plan"),
    ]


def test_a_setting_that_this_version_dropped_stays_in_the_record():
    recorded = resolve([]).as_dict()
    recorded["mood"] = recorded["policy"]

    assert Settings.from_dict(recorded).as_dict() == recorded
