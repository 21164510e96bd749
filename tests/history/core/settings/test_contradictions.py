import pytest

from history.core.settings.caps import NO_CAPS, Caps
from history.core.settings.contradictions import Limit, Step, Way, find
from history.core.settings.layers import Layer, environment_layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.core.words.facts import Rule
from tests.history.core.making import template


def contradictions(layers, caps=NO_CAPS):
    return find(resolve(layers, caps), caps)


RAISE, LOWER, TURN_OFF = Step.RAISE, Step.LOWER, Way(Step.TURN_OFF, "summarize")
LOWER_TRIGGER = Way(LOWER, "trigger_at")


def longer(turns):
    return Way(Step.RAISE_TO, "length", turns), Way(Step.CHOOSE_ALL, "policy")


@pytest.mark.parametrize(
    ("values", "rule", "ways", "figures"),
    [
        pytest.param(
            {"keep_recent": 100},
            Rule.NOTHING_TO_SUMMARISE,
            (Way(LOWER, "keep_recent"), Way(RAISE, "trigger_at")),
            {},
            id="nothing to summarise",
        ),
        pytest.param(
            {"summarize": True, "policy": "none"},
            Rule.NO_SUMMARY_SENT,
            (TURN_OFF, Way(Step.CHOOSE_ANOTHER, "policy")),
            {},
            id="summaries never sent",
        ),
        pytest.param(
            {"summarize": True, "policy": "all", "max_items": 40},
            Rule.ITEMS_BELOW_TRIGGER,
            (Way(Step.RAISE_TO, "max_items", 100), LOWER_TRIGGER, TURN_OFF),
            {"waiting": 100, "causes": ["summarize", "trigger_at"]},
            id="history window below the trigger",
        ),
        pytest.param(
            {"summarize": True},
            Rule.LENGTH_BELOW_TRIGGER,
            (*longer(50), LOWER_TRIGGER, TURN_OFF),
            {"waiting": 100, "room": 40, "causes": ["summarize", "trigger_at"]},
            id="length below the trigger",
        ),
        pytest.param(
            {"summarize": True, "length": 0, "trigger_at": 4, "keep_recent": 2},
            Rule.LENGTH_BELOW_TRIGGER,
            (*longer(2), LOWER_TRIGGER, TURN_OFF),
            {"waiting": 4, "room": 2, "causes": ["summarize", "trigger_at"]},
            id="length 0 acts as 1",
        ),
        pytest.param(
            {"summarize": True, "length": 50, "summarize_every": 200},
            Rule.LENGTH_BELOW_TRIGGER,
            (*longer(105), Way(LOWER, "keep_recent"), Way(LOWER, "summarize_every"), TURN_OFF),
            {
                "waiting": 210,
                "room": 100,
                "causes": ["summarize", "keep_recent", "summarize_every"],
            },
            id="later summaries too far apart",
        ),
        pytest.param(
            {"output_reserve": 8_192},
            Rule.RESERVE_TAKES_ALL,
            (Way(LOWER, "output_reserve"), Way(RAISE, "context_window")),
            {"bound": ["context_window"]},
            id="reserve fills the window",
        ),
        pytest.param(
            {"token_budget": 4_000},
            Rule.RESERVE_TAKES_ALL,
            (Way(LOWER, "output_reserve"), Way(RAISE, "token_budget")),
            {"bound": ["token_budget"]},
            id="reserve fills the budget",
        ),
        pytest.param(
            {"token_stride": 5_000},
            Rule.STRIDE_TAKES_ALL,
            (Way(LOWER, "token_stride"),),
            {"bound": ["context_window"], "room": 4_096},
            id="grid wider than the budget",
        ),
        pytest.param(
            {"pruner": "sliding_window", "sliding_window_turns": 2},
            Rule.PRUNES_PROTECTED,
            (Way(RAISE, "sliding_window_turns"), Way(LOWER, "min_history_turns")),
            {},
            id="window below what is protected",
        ),
    ],
)
def test_each_contradiction_says_the_rule_and_the_ways_out(values, rule, ways, figures):
    (found,) = contradictions([template(**values)])

    assert (found.rule, found.ways, found.limit) == (rule, ways, None)
    assert found.figures == figures


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({}, id="what is built in"),
        pytest.param({"summarize": True, "policy": "all"}, id="all with summaries"),
        pytest.param({"summarize": True, "length": 50}, id="exactly long enough"),
        pytest.param(
            {"summarize": True, "length": 10, "trigger_at": 20, "keep_recent": 10},
            id="an early trigger",
        ),
        pytest.param(
            {"summarize": True, "policy": "all", "max_items": 100}, id="a window that holds them"
        ),
        pytest.param({"max_items": 2, "length": 1}, id="short windows without summaries"),
        pytest.param({"output_reserve": 8_191}, id="one token of history"),
        pytest.param({"context_window": 512, "output_reserve": 100}, id="a small model"),
        pytest.param({"pruner": "fifo", "sliding_window_turns": 1}, id="another pruner"),
    ],
)
def test_settings_that_agree(values):
    assert contradictions([template(**values)]) == ()


def test_a_contradiction_knows_who_causes_it():
    site = Layer(LayerName.SITE, "site", {"keep_recent": 60})
    found = find(resolve([template(trigger_at=50), site]))

    assert [(c.settings, c.layers) for c in found] == [
        (("keep_recent", "trigger_at"), {LayerName.TEMPLATE, LayerName.SITE})
    ]


SUMMARISING = environment_layer({"HISTORY_SUMMARIZE": "true"})
ITS_OWN = environment_layer({"HISTORY_SUMMARIZE": "true", "DEFAULT_HISTORY_LENGTH": "10"})


@pytest.mark.parametrize(
    ("layers", "caps", "ways", "limit"),
    [
        pytest.param(
            [SUMMARISING],
            Caps(length=10),
            (LOWER_TRIGGER, TURN_OFF),
            Limit("HISTORY_LENGTH_MAX", 10),
            id="a length beyond the cap",
        ),
        pytest.param(
            [SUMMARISING, template(length=5)],
            Caps(length=49),
            (LOWER_TRIGGER, TURN_OFF),
            Limit("HISTORY_LENGTH_MAX", 49),
            id="a length below the cap",
        ),
        pytest.param(
            [SUMMARISING, template(length=5)],
            Caps(length=50),
            (*longer(50), LOWER_TRIGGER, TURN_OFF),
            None,
            id="a cap that is high enough",
        ),
        pytest.param(
            [ITS_OWN],
            Caps(length=10),
            (Way(Step.RAISE_TO, "length", 50), LOWER_TRIGGER, TURN_OFF),
            Limit("HISTORY_LENGTH_MAX", 10),
            id="the environment's own length is not capped",
        ),
        pytest.param(
            [template(output_reserve=5_000)],
            Caps(token_budget=4_500),
            (Way(LOWER, "output_reserve"),),
            Limit("HISTORY_TOKEN_BUDGET_MAX", 4_500),
            id="a budget beyond the cap",
        ),
        pytest.param(
            [template(output_reserve=5_000, token_budget=4_500)],
            Caps(token_budget=6_000),
            (Way(LOWER, "output_reserve"), Way(RAISE, "token_budget")),
            None,
            id="a budget that may be raised",
        ),
    ],
)
def test_no_way_out_is_named_that_a_cap_forbids(layers, caps, ways, limit):
    (found,) = contradictions(layers, caps)

    assert (found.ways, found.limit) == (ways, limit)
