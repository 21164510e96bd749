"""The estimate of an experiment's cost is the most that its first request can cost."""

from decimal import Decimal

import pytest

from history.core.money.cost import FREE, UNPRICED, Prices
from history.core.words.errors import CannotPlan
from history.services.whatif.estimating import estimate
from history.services.whatif.experiments import experiment_of
from history.services.whatif.trying import Variant
from tests.factories import actor_for, add_turn, make_agent, make_conversation

pytestmark = pytest.mark.django_db
DEAR = Prices(Decimal("0.001"), Decimal("0.01"), Decimal("0.0001"), Decimal("0.002"))


@pytest.fixture(autouse=True)
def known_models(catalogue):
    catalogue.know_three_models()


def estimated(settings=None, **agent):
    agent = {"model": "small/model", "history_settings": {"length": 1}, "tools": [], **agent}
    conversation = make_conversation(make_agent(**agent))
    for number in (1, 2, 3):
        record = add_turn(conversation, f"Question {number}")
    variant = Variant(settings=settings or {"policy": "all"})
    return record, estimate(experiment_of(actor_for(conversation), record, variant))


def test_everything_costs_more_than_the_newest_turn():
    record, found = estimated()

    assert found.sent > record.core_plan.window.sent
    assert (found.model, found.answer, found.has_tools) == ("small/model", 1_000, False)


def test_the_agents_own_limit_counts_before_the_models():
    assert estimated(output_limit=300)[1].answer == 300


@pytest.mark.parametrize(
    ("prices", "most"),
    [
        pytest.param(UNPRICED, None, id="unknown"),
        pytest.param(FREE, Decimal(0), id="free"),
        pytest.param(DEAR, "cached", id="each token sent may be written to the cache"),
    ],
)
def test_the_money_is_the_most_that_it_can_be(catalogue, prices, most):
    catalogue.prices = lambda model: prices

    _, found = estimated()

    dearest = found.sent * Decimal("0.002") + 1_000 * Decimal("0.01")
    assert found.money == (dearest if most == "cached" else most)
    assert found.is_free is (prices is FREE)


def test_without_a_limit_to_the_answer_no_sum_is_made_up(catalogue):
    catalogue.prices = lambda model: DEAR

    _, found = estimated(model="other/model")

    assert (found.answer, found.money, found.is_priced) == (None, None, True)


def test_a_request_that_would_not_fit_is_refused():
    with pytest.raises(CannotPlan):
        estimated(settings={"token_budget": 4_000}, system_prompt="word " * 20_000)


def test_tools_are_told():
    assert estimated(tools=["calculator"])[1].has_tools
