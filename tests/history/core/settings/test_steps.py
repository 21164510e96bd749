"""If the prefix is stable and nobody sets a stride, windows move in steps that suit their size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.settings.caps import Caps
from history.core.settings.contradictions import find
from history.core.settings.layers import Layer, environment_layer, url_layer
from history.core.settings.output import OutputRules, with_reserve
from history.core.settings.resolution import for_model, overridden, resolve
from history.core.settings.resolved import Settings
from history.core.settings.spec import STRIDE, LayerName
from history.core.settings.steps import follows
from history.core.stages.policies import policy_of
from history.core.words.facts import Rule, fact
from tests.history.core.making import template

STEPS = ["length_stride", "results_stride", "images_stride", "files_stride", "token_stride"]
KEPT = {"tool_results_keep": 5, "images_keep": 3, "files_keep": 1}


def conversation(**values):
    return Layer(LayerName.CONVERSATION, "conversation", values)


def stable(**values):
    return template(prefix="stable", **values)


def steps(*layers, caps=None):
    settings = resolve(layers, *([caps] if caps else []))
    return {name: settings.value(name) for name in STEPS if follows(settings[name])}


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ({}, 10),
        ({"length": 0}, 1),
        ({"length": 1}, 1),
        ({"length": 5}, 3),
        ({"length": 10}, 5),
        ({"length": 400}, 10),
        ({"max_items": 8}, 4),
        ({"policy": "all", "max_items": 40}, 10),
        ({"policy": "all", "pruner": "sliding_window"}, 5),
    ],
)
def test_a_window_moves_by_half_of_itself_and_at_most_by_10(values, step):
    assert steps(stable(**values))["length_stride"] == step


def test_what_is_kept_whole_moves_by_half_of_itself():
    found = steps(stable(policy="all", **KEPT))

    assert {name: found[name] for name in STEPS[1:4]} == {
        "results_stride": 3,
        "images_stride": 2,
        "files_stride": 1,
    }


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ({}, 1_024),
        ({"context_window": 200_000}, 48_976),
        ({"context_window": 1_000_000}, 100_000),
        ({"context_window": 200_000, "token_budget": 12_096}, 2_000),
        ({"context_window": 4_000}, 1),
    ],
)
def test_a_cut_for_the_budget_leaves_out_a_quarter_of_it(values, step):
    assert steps(stable(**values))["token_stride"] == step


def test_a_cut_counts_what_the_answer_really_reserves():
    reserved = with_reserve(resolve([stable(context_window=4_000)]), OutputRules(), 1_000)

    assert reserved.value("token_stride") == 750


@pytest.mark.parametrize("layers", [[], [template(prefix="free")], [template(length=5, **KEPT)]])
def test_nothing_moves_in_steps_while_the_prefix_is_free(layers):
    assert steps(*layers) == {}


@pytest.mark.parametrize("step", [1, 4])
def test_a_step_that_somebody_sets_holds(step):
    settings = resolve([stable(**dict.fromkeys(STEPS, step), **KEPT)])

    assert {settings.value(name) for name in STEPS} == {step}
    assert not any(follows(settings[name]) for name in STEPS)


EXACT = {
    "address": [stable(), url_layer("historyLength=7")],
    "chat": [stable(), conversation(length=7)],
    "messages of the chat": [stable(), conversation(max_items=7)],
    "environment": [stable(), environment_layer({"DEFAULT_HISTORY_LENGTH": "7"})],
    "a step beyond the length": [stable(length_stride=3), conversation(length=7)],
    "an invalid step": [stable(length_stride=0)],
}


@pytest.mark.parametrize("layers", EXACT.values(), ids=EXACT)
def test_a_length_of_ones_own_is_exact(layers):
    assert STRIDE not in steps(*layers)
    assert resolve(layers).value(STRIDE) == 1


@pytest.mark.parametrize(
    "layer",
    [conversation(tool_results_keep=7), environment_layer({"HISTORY_TOOL_RESULTS_KEEP": "7"})],
)
def test_a_number_of_results_of_ones_own_is_exact(layer):
    assert resolve([stable(), layer]).value("results_stride") == 1


@pytest.mark.parametrize(
    ("cap", "step"), [(40, 10), (29, 10), (24, 5), (20, 1), (5, 1), (None, 10)]
)
def test_no_step_leads_beyond_the_cap(cap, step):
    assert resolve([stable(length=20)], Caps(length=cap)).value(STRIDE) == step


@given(st.integers(0, 40), st.integers(1, 40), st.integers(1, 90))
def test_no_more_turns_are_sent_than_the_cap_says(length, most, last):
    settings = resolve([stable(policy="lastN", length=length)], Caps(length=most))

    assert last - max(policy_of(settings).first_turn(last), 1) + 1 <= most


def test_the_step_names_the_prefix_and_who_set_it():
    model = Layer(LayerName.BUILT_IN, "model catalogue", {"prefix": "stable"})
    winner = resolve([template(), model])[STRIDE].winner

    reason = fact(Rule.STEPS_OF_PREFIX, source="model catalogue", variable="")
    assert (winner.layer, winner.source, winner.reason) == ("built_in", "stable prefix", reason)


def test_a_record_gives_the_steps_back():
    settings = resolve([stable(**KEPT)])

    assert Settings.from_dict(settings.as_dict()) == settings


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ({"prefix": "free"}, 1),
        ({"length": 7}, 1),
        ({"length_stride": 4}, 4),
        ({"length_stride": None}, 10),
        ({"length_stride": None, "prefix": "free"}, 1),
        ({"reasoning_keep": 2}, 10),
    ],
)
def test_a_what_if_has_the_steps_that_follow_from_it(values, step):
    tried = overridden(resolve([stable(length=20)]), values, "what if")

    assert tried.value(STRIDE) == step


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("length_stride", 10),
        ("results_stride", 3),
        ("images_stride", 2),
        ("files_stride", 1),
        ("token_stride", 1_024),
    ],
)
def test_a_step_follows_again_as_soon_as_nobody_sets_one(name, step):
    settings = resolve([stable(policy="lastN", length=20, **KEPT, **{name: 9})])

    assert overridden(settings, {name: None}, "what if").value(name) == step
    assert overridden(settings, {name: 1}, "what if").value(name) == 1


def test_a_what_if_that_makes_the_prefix_stable_keeps_to_the_cap():
    tried = overridden(resolve([template()]), {"prefix": "stable"}, "what if", Caps(length=24))

    assert tried.value(STRIDE) == 5


@pytest.mark.parametrize(("prefix", "step"), [("stable", 10), (None, 1)])
def test_another_model_brings_its_own_steps(prefix, step):
    values = {"prefix": prefix, "context_window": 9_000}
    was = resolve([Layer(LayerName.BUILT_IN, "model catalogue", {"prefix": "stable"})])
    tried = for_model(was, Layer(LayerName.BUILT_IN, "model catalogue", values))

    assert (tried.value(STRIDE), follows(tried[STRIDE])) == (step, step == 10)


def test_a_plan_from_before_such_steps_keeps_none():
    old = resolve([stable(**{STRIDE: 1})])
    kept = overridden(old, {"reasoning_keep": 2}, "what if")

    assert kept.value(STRIDE) == 1


def test_a_window_has_room_for_what_waits_for_a_summary():
    asking = {"policy": "all", "summarize": True, "trigger_at": 30, "prefix": "stable"}
    (found,) = find(resolve([template(**asking, max_items=35)]))
    raised = next(way.value for way in found.ways if way.setting == "max_items")

    assert find(resolve([template(**asking, max_items=raised)])) == ()
