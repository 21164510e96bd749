"""The input by kind adds up to the sums of map, window and bill; any difference is explained."""

from decimal import Decimal

import pytest

from chatapp.inspector.cost.inputs import input_lines, with_costs
from history.core.money.cost import CostShare, Prices
from history.models import TokenCalibration
from history.services.explain.cost.inputs import input_costs
from history.services.explain.cost.spending import reasoning_of, spent
from history.services.explain.map import rows
from history.services.path.appending import append, assistant_message
from tests.factories import add_plan, begin_turn, make_agent, make_conversation
from tests.history.services.explain.map.test_parts import THOUGHT, talk

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(
        history_settings={"policy": "all", "images_keep": 1, "context_window": 64_000}
    ),
]
PRICES = Prices(Decimal("0.01"), Decimal("0.02"), Decimal("0.001"))
REPORTED = {"prompt": 4_000, "completion": 10, "cache_read": 1_000}
PAID = {
    "total": "31.2",
    "fresh": {"tokens": 3_000, "money": "30"},
    "cache_read": {"tokens": 1_000, "money": "1"},
    "output": {"tokens": 10, "money": "0.2"},
}


@pytest.fixture
def request_of(conversation):
    talk(conversation)

    def asked(**outcome):
        return add_plan(begin_turn(conversation), **outcome)

    return asked


@pytest.mark.parametrize(
    ("output", "thought"),
    [
        pytest.param(CostShare(2_000, Decimal(20)), (1_204, Decimal("12.04")), id="a share"),
        pytest.param(CostShare(1_000, Decimal(10)), (1_204, Decimal(10)), id="all, at most"),
        pytest.param(CostShare(2_000, None), (1_204, None), id="no price"),
        pytest.param(CostShare(None, None), (1_204, None), id="nothing reported"),
    ],
)
def test_how_much_of_an_output_was_reasoning(conversation, output, thought):
    generation = begin_turn(conversation)
    append(generation.branch, [assistant_message("Seven.", parts=[THOUGHT])], generation)

    found = reasoning_of(generation, output)
    assert (found.tokens, found.money) == thought


def divided(record):
    plan = record.core_plan
    return plan, input_costs(plan, spent(getattr(record, "outcome", None)), PRICES)


def lines(costs):
    return {line.name: (line.tokens, line.cached, line.money) for line in input_lines(costs)}


def test_the_parts_of_map_window_and_bill_are_the_same(request_of):
    record = request_of(usage=REPORTED, cost=PAID)
    plan, costs = divided(record)

    mapped = [row for row in rows.map_rows(record, plan) if row.kind == "message"]
    held = [part for row in mapped for part in row.parts if part.is_whole]
    by_label = {
        label: sum(part.sent for part in held if part.label == label) for label in ("Image", "File")
    }
    assert by_label == {"Image": plan.window.images, "File": plan.window.files}
    injected = sum(row.tokens for row in rows.map_rows(record, plan) if row.kind == "injected")
    assert sum(row.sent for row in mapped) + injected == plan.window.counted
    assert {k: p.tokens for k, p in costs.kinds.items() if k != "texts"} == {
        "images": plan.window.images,
        "files": plan.window.files,
    }
    assert sum(piece.tokens for piece in costs.kinds.values()) == plan.window.sent
    assert sum(part.tokens for part in plan.window.parts()) == plan.window.context_window


def test_what_was_reported_is_reached_with_a_difference(request_of):
    plan, costs = divided(request_of(usage=REPORTED, cost=PAID))

    sent, cached = plan.window.sent, round(plan.window.sent / 4)
    assert costs.estimated.tokens == sent
    assert costs.estimated.cached == cached
    assert costs.estimated.money == (sent - cached) * Decimal("0.01") + cached * Decimal("0.001")
    found = lines(costs)
    assert found["total"] == ("4,000", "1,000", "$31.00")
    assert found["difference"][:2] == (f"+{4_000 - sent:,}", f"+{1_000 - cached:,}")


def test_no_report_is_an_estimate_at_the_present_price_uncached(request_of):
    plan, costs = divided(request_of())

    found = lines(costs)
    assert "difference" not in found
    assert costs.estimated.money == plan.window.sent * Decimal("0.01")
    assert found["total"][:2] == (f"{plan.window.sent:,}", "\N{EM DASH}")


@pytest.mark.parametrize(
    ("usage", "cost", "money"),
    [
        pytest.param(REPORTED, None, "\N{EM DASH}", id="no price then"),
        pytest.param({"prompt": 9, "completion": 1, "cache_read": 10}, None, "", id="nonsense"),
    ],
)
def test_what_nobody_knows_is_no_amount(request_of, usage, cost, money):
    plan, costs = divided(request_of(usage=usage, cost=cost))

    if money:
        assert {line[2] for line in lines(costs).values()} == {money}
    else:
        assert (costs.reported, costs.money) == (None, None)
        assert costs.estimated.money == plan.window.sent * Decimal("0.01")


def test_what_was_written_to_the_cache_is_part_of_what_was_not_read(request_of):
    paid = {**PAID, "fresh": {"money": "10"}, "cache_write": {"tokens": 2_000, "money": "25"}}
    usage = {**REPORTED, "cache_write": 2_000}

    _, costs = divided(request_of(usage=usage, cost=paid))
    assert (costs.rates.fresh, costs.rates.cached) == (Decimal(35) / 3_000, Decimal("0.001"))
    assert costs.money == 36


@pytest.mark.words
def test_only_a_text_has_a_second_figure_in_the_models_count(db):
    """A picture needs no second figure, because its row has the model's own figure."""
    model, figures = "anthropic/claude-sonnet-4-5", {"requests": 9, "estimated": 9, "reported": 12}
    TokenCalibration.objects.create(model=model, factor=1.37, **figures)
    agent = make_agent("claude", model=model, history_settings={"policy": "all"})
    talk(conversation := make_conversation(agent))

    record = add_plan(begin_turn(conversation), usage=REPORTED, cost=PAID)
    priced = with_costs(rows.map_rows(record, record.core_plan), divided(record)[1])
    first = next(row for row in priced if row.kind == "message")
    said = {part.name: "in the model's count" in part.cost for part in first.parts}
    assert said == {"a.png": False, "b.png": False, "report.pdf": True}
