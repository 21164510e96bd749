import pytest

from history.core.settings.caps import NO_CAPS, Caps
from history.core.settings.contradictions import find
from history.core.settings.layers import environment_layer, stored_layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName


def template(**values):
    return stored_layer(LayerName.TEMPLATE, "template demo v1", values)


def contradictions(layers, caps=NO_CAPS):
    return tuple(found.sentence for found in find(resolve(layers, caps), caps))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        pytest.param(
            {"keep_recent": 100},
            "keep_recent 100 (template demo v1) must be less than trigger_at 100 (built-in), or "
            "there is nothing to summarise: lower keep_recent or raise trigger_at.",
            id="nothing to summarise",
        ),
        pytest.param(
            {"summarize": True, "policy": "none"},
            "policy none (template demo v1) sends no summary, though summarize true (template demo "
            "v1): turn summarize off or choose another policy.",
            id="summaries never sent",
        ),
        pytest.param(
            {"summarize": True, "policy": "all", "max_items": 40},
            "max_items 40 (template demo v1) is all that is sent, but with summarize true "
            "(template demo v1) and trigger_at 100 (built-in) up to 100 wait for a summary, so "
            "that some are neither sent nor summarised: raise max_items to 100, lower trigger_at, "
            "or turn summarize off.",
            id="history window below the trigger",
        ),
        pytest.param(
            {"summarize": True},
            "length 20 (built-in) holds about 40 messages, but with summarize true (template demo "
            "v1) and trigger_at 100 (built-in) up to 100 wait for a summary, so that some are "
            "neither sent nor summarised: raise length to 50, choose policy all, lower trigger_at, "
            "or turn summarize off.",
            id="length below the trigger",
        ),
        pytest.param(
            {"summarize": True, "length": 0, "trigger_at": 4, "keep_recent": 2},
            "length 0 (template demo v1) holds about 2 messages, but with summarize true (template "
            "demo v1) and trigger_at 4 (template demo v1) up to 4 wait for a summary, so that some "
            "are neither sent nor summarised: raise length to 2, choose policy all, lower "
            "trigger_at, or turn summarize off.",
            id="length 0 acts as 1",
        ),
        pytest.param(
            {"summarize": True, "length": 50, "summarize_every": 200},
            "length 50 (template demo v1) holds about 100 messages, but with summarize true "
            "(template demo v1) and keep_recent 10 (built-in) and summarize_every 200 (template "
            "demo v1) up to 210 wait for a summary, so that some are neither sent nor summarised: "
            "raise length to 105, choose policy all, lower keep_recent or summarize_every, or turn "
            "summarize off.",
            id="later summaries too far apart",
        ),
        pytest.param(
            {"output_reserve": 8_192},
            "output_reserve 8,192 (template demo v1) leaves nothing of context_window 8,192 "
            "(assumed): lower output_reserve or raise context_window.",
            id="reserve fills the window",
        ),
        pytest.param(
            {"token_budget": 4_000},
            "output_reserve 4,096 (built-in) leaves nothing of token_budget 4,000 (template demo "
            "v1): lower output_reserve or raise token_budget.",
            id="reserve fills the budget",
        ),
        pytest.param(
            {"token_stride": 5_000},
            "token_stride 5,000 (template demo v1) is not less than the 4,096 tokens that "
            "context_window 8,192 (assumed) leaves beside output_reserve 4,096 (built-in), so a "
            "cut would take every older turn: lower token_stride.",
            id="grid wider than the budget",
        ),
        pytest.param(
            {"pruner": "sliding_window", "sliding_window_turns": 2},
            "sliding_window_turns 2 (template demo v1) is less than min_history_turns 3 "
            "(built-in), which no pruner takes: raise sliding_window_turns or lower "
            "min_history_turns.",
            id="window below what is protected",
        ),
    ],
)
def test_each_contradiction_names_values_sources_and_the_way_out(values, sentence):
    assert contradictions([template(**values)]) == (sentence,)


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
    site = stored_layer(LayerName.SITE, "site", {"keep_recent": 60})
    found = find(resolve([template(trigger_at=50), site]))

    assert [(c.settings, c.layers) for c in found] == [
        (("keep_recent", "trigger_at"), {LayerName.TEMPLATE, LayerName.SITE})
    ]


SUMMARISING = environment_layer({"HISTORY_SUMMARIZE": "true"})
ITS_OWN = environment_layer({"HISTORY_SUMMARIZE": "true", "DEFAULT_HISTORY_LENGTH": "10"})


def test_a_cap_is_named_where_it_causes_one():
    (sentence,) = contradictions([SUMMARISING, template(length=60)], Caps(length=30))

    assert sentence.startswith(
        "length 30 (template demo v1; 60 asked; capped at 30 by HISTORY_LENGTH_MAX) holds about 60"
    )


@pytest.mark.parametrize(
    ("layers", "caps", "way_out"),
    [
        pytest.param(
            [SUMMARISING],
            Caps(length=10),
            "lower trigger_at, or turn summarize off; HISTORY_LENGTH_MAX allows no more than 10.",
            id="a length beyond the cap",
        ),
        pytest.param(
            [SUMMARISING, template(length=5)],
            Caps(length=49),
            "lower trigger_at, or turn summarize off; HISTORY_LENGTH_MAX allows no more than 49.",
            id="a length below the cap",
        ),
        pytest.param(
            [SUMMARISING, template(length=5)],
            Caps(length=50),
            "raise length to 50, choose policy all, lower trigger_at, or turn summarize off.",
            id="a cap that is high enough",
        ),
        pytest.param(
            [ITS_OWN],
            Caps(length=10),
            "raise length to 50, lower trigger_at, or turn summarize off; HISTORY_LENGTH_MAX "
            "allows no more than 10.",
            id="the environment's own length is not capped",
        ),
        pytest.param(
            [template(output_reserve=5_000)],
            Caps(token_budget=4_500),
            "lower output_reserve; HISTORY_TOKEN_BUDGET_MAX allows no more than 4,500.",
            id="a budget beyond the cap",
        ),
        pytest.param(
            [template(output_reserve=5_000, token_budget=4_500)],
            Caps(token_budget=6_000),
            "lower output_reserve or raise token_budget.",
            id="a budget that may be raised",
        ),
    ],
)
def test_no_way_out_is_named_that_a_cap_forbids(layers, caps, way_out):
    (sentence,) = contradictions(layers, caps)

    assert sentence.rpartition(": ")[2] == way_out
