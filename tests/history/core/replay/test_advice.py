"""The variants worth proposing, by a replay's figures; no saving is promised that it does not
show.
"""

from dataclasses import replace
from decimal import Decimal

import hypothesis
import pytest
from hypothesis import given

from bench.outcomes import run
from bench.strategies import PRICES, STRATEGIES
from bench.workloads import workloads
from history.core.money.cost import FREE, UNPRICED, Prices
from history.core.plan.verdict import Verdict
from history.core.projection.request import ProjectionRequest
from history.core.replay.advice import Comparison, are_known, comparison, variants
from history.core.replay.recency import sight, sights
from history.core.replay.replay import past_steps, priced, replay
from history.core.settings.resolution import overridden
from tests.history.core import strategies
from tests.history.core.making import ROOMY, settings_of, transcript

CHAT = transcript(*["user: q x60", "assistant: a x180"] * 60)
CALLED = "user: q x20|call c{n} search x15|result c{n}: found x300|assistant: a x40"
TOOLS = transcript(*(line for n in range(40) for line in CALLED.format(n=n).split("|")))
CENTS = Prices(Decimal("0.01"), Decimal("0.02"), Decimal("0.001"), cache_minimum=0)
DEAR = replace(CENTS, cache_read=Decimal("0.0099"))
LAST = {"policy": "lastN", "length": 20}
STEPS_OF_5, STEPS_OF_10 = {"length_stride": 5}, {"length_stride": 10}
STABLE = {"prefix": "stable"}


def replayed(path, values, prices=CENTS):
    request = ProjectionRequest(settings_of(**ROOMY | values))
    return priced(replay(path, past_steps(path), request), prices)


def compared(path, values, changes, prices=CENTS):
    return Comparison(
        changes, replayed(path, values | changes, prices), replayed(path, values, prices)
    )


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param({"policy": "all"}, [], id="everything is sent"),
        pytest.param(LAST, [STEPS_OF_5, STEPS_OF_10, STABLE], id="a window"),
        pytest.param(LAST | STABLE, [], id="one that moves in steps because the prefix is stable"),
        pytest.param(LAST | {"length_stride": 5}, [STEPS_OF_10, STABLE], id="one in steps of five"),
        pytest.param(LAST | {"length_stride": 10}, [], id="one in steps of ten"),
        pytest.param(
            {"policy": "all", "max_items": 40},
            [STEPS_OF_5, STEPS_OF_10, STABLE],
            id="of messages",
        ),
        pytest.param(
            {"policy": "all", "tool_results_keep": 5},
            [{"results_stride": 10}, {"tool_results_keep": 0}, STABLE],
            id="results that are replaced one by one",
        ),
        pytest.param(
            {"policy": "all", "tool_results_keep": 5, "results_stride": 10},
            [{"tool_results_keep": 0}, STABLE],
            id="in steps already",
        ),
        pytest.param(
            LAST | {"images_keep": 3},
            [
                STEPS_OF_5,
                STEPS_OF_10,
                {"length_stride": 10, "images_stride": 10},
                {"images_stride": 10},
                {"images_keep": 0},
                STABLE,
            ],
            id="a window and images",
        ),
        pytest.param(
            {"policy": "all", "token_budget": 8_000},
            [{"token_budget": 10_000, "token_stride": 2_000}, STABLE],
            id="a budget",
        ),
        pytest.param(
            LAST | {"tool_results_keep": 5, "token_budget": 8_000},
            [
                STEPS_OF_5,
                STEPS_OF_10,
                {"length_stride": 10, "results_stride": 10},
                {"results_stride": 10},
                {"tool_results_keep": 0},
                {"token_budget": 10_000, "token_stride": 2_000},
                STABLE,
            ],
            id="a window, results and a budget, with the stable prefix last",
        ),
    ],
)
def test_only_variants_that_apply_are_replayed(values, expected):
    assert list(variants(settings_of(**values))) == expected


@pytest.mark.parametrize(
    ("path", "values", "changes", "turns"),
    [
        pytest.param(CHAT, LAST, STEPS_OF_10, ((20, 20), (20, 29)), id="a window in steps"),
        pytest.param(CHAT, LAST, STABLE, ((20, 20), (20, 29)), id="a stable prefix"),
        pytest.param(
            TOOLS,
            {"policy": "all", "tool_results_keep": 5},
            STABLE,
            ((6, 40), (6, 40)),
            id="placeholders that a stable prefix moves",
        ),
        pytest.param(
            TOOLS,
            {"policy": "all", "tool_results_keep": 5},
            {"results_stride": 10},
            ((6, 40), (6, 40)),
            id="placeholders in steps",
        ),
        pytest.param(
            CHAT,
            {"policy": "all", "token_budget": 4_800, "min_history_turns": 0},
            {"token_budget": 6_000, "token_stride": 1_200},
            ((20, 20), (21, 25)),
            id="a budget in steps",
        ),
    ],
)
def test_steps_are_worth_it_where_reading_is_cheap(path, values, changes, turns):
    found = compared(path, values, changes)

    assert found.is_worth_it
    record = comparison(found.beside, [(changes, found.replay)], CENTS)
    spreads = [figures["recency"]["turns"] for figures in (record["as_it_is"], *record["variants"])]
    assert tuple((spread["least"], spread["most"]) for spread in spreads) == turns


@pytest.mark.parametrize(
    ("values", "changes", "prices", "why"),
    [
        pytest.param(LAST, STEPS_OF_10, DEAR, "saved", id="it saves less than a tenth"),
        pytest.param(LAST, STEPS_OF_10, FREE, "saved", id="there is nothing to pay"),
        pytest.param(LAST, STEPS_OF_10, UNPRICED, "saved", id="the prices are unknown"),
        pytest.param(LAST, {"length": 5}, CENTS, "less", id="fewer turns are seen"),
        pytest.param(
            {"policy": "all", "token_budget": 6_000, "min_history_turns": 0},
            {"token_stride": 1_200},
            CENTS,
            "less",
            id="the same budget in steps sends less",
        ),
        pytest.param(
            {"policy": "all", "max_items": 40}, STABLE, CENTS, "less", id="no more than 40 are sent"
        ),
        pytest.param(
            LAST,
            {"context_window": 600, "output_reserve": 500},
            CENTS,
            "less",
            id="requests would be refused",
        ),
    ],
)
def test_nothing_else_is(values, changes, prices, why):
    found = compared(CHAT, values, changes, prices)

    assert not found.is_worth_it
    if why == "less":
        assert found.less > 0
    else:
        assert found.saved is None or found.saved < Decimal("0.1")
        assert found.less == 0


@pytest.mark.parametrize(
    ("prices", "known"),
    [
        pytest.param(CENTS, True, id="known; None for writing is no charge"),
        pytest.param(replace(CENTS, cache_read=None), False, id="what reading costs is unknown"),
        pytest.param(replace(CENTS, output=None), False, id="what an answer costs is unknown"),
        pytest.param(UNPRICED, False, id="nothing is known"),
    ],
)
def test_what_must_be_known(prices, known):
    assert are_known(prices) is known


def test_a_sliding_window_costs_a_multiple_of_one_in_steps():
    """The long chat of docs/policies.md, under the prices that favour caching most and least."""
    chat = next(workload for workload in workloads() if workload.name == "long chat")
    asked = [s for s in STRATEGIES if s.name in {"lastN 20", "lastN 20, stride 10"}]
    sliding, steps = (run(strategy, chat, ()) for strategy in asked)

    times = {model: round(sliding.money[model] / steps.money[model], 1) for model in PRICES}

    assert times["A: read 0.1, write 1.25"] == Decimal("2.4")
    assert min(times.values()) == times["C: read 0.5, write free"] == Decimal("1.4")
    assert steps.answered > sliding.answered


@hypothesis.settings(max_examples=100)
@given(strategies.cases())
def test_what_a_request_shows_is_what_its_messages_say(case):
    path, request = case
    alike = replace(request, checkpoints=(), settled=None)
    found = priced(replay(path, past_steps(path), alike), CENTS)
    for step in found.steps:
        if step.plan:
            before = path[: step.step.end]
            letters = [step.plan.entry_at(m.position) for m in before]
            lost = [
                m.turn
                for m, e in zip(before, letters, strict=True)
                if e.verdict in {Verdict.TRIMMED, Verdict.SUMMARISED} or e.rule == "token_limiter"
            ]
            shown = sight(step.plan)
            assert shown.turns == step.plan.counts.last_turn - max(lost, default=0)
            assert shown.messages == sum(e.verdict is Verdict.KEPT for e in letters)


@hypothesis.settings(max_examples=40)
@given(strategies.well_formed(answered=True), strategies.settings())
def test_what_is_worth_it_is_so_in_every_request(path, settings):
    base = ProjectionRequest(settings)
    as_it_is = priced(replay(path, past_steps(path), base), CENTS)
    for changes in variants(settings):
        other = replace(base, settings=overridden(settings, changes, "test"))
        found = Comparison(changes, priced(replay(path, past_steps(path), other), CENTS), as_it_is)
        if found.is_worth_it:
            assert found.replay.money <= as_it_is.money * Decimal("0.9")
            pairs = zip(sights(found.replay), sights(as_it_is), strict=True)
            assert all(a.turns >= b.turns and a.messages >= b.messages for a, b in pairs)
