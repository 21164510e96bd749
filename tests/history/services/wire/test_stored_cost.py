"""The cost of a request is stored with it, at the prices of its day."""

from dataclasses import replace
from decimal import Decimal

import pytest

from history.core.money.cost import FREE, Prices
from history.models import RequestOutcome
from history.services.wire.figures import store_outcome, stored_cost
from tests.factories import add_plan, begin_turn, make_agent, make_conversation

PRICED = {
    "known/model": Prices(Decimal("1e-6"), Decimal("4e-6"), Decimal("1e-7")),
    "half/known": Prices(Decimal("1e-6")),
    "free/model": FREE,
    "free/at first": replace(FREE, beyond=((100, Prices(Decimal("1e-6"))),)),
    "free/to read": Prices(Decimal(0), Decimal("4e-6"), Decimal(0)),
}
FIELDS = {"finish_reason": "stop", "total_ms": 1.0}
USAGE = {"prompt": 1_000, "completion": 50, "cache_read": 600}


@pytest.fixture(autouse=True)
def prices(catalogue):
    catalogue.prices = lambda model: PRICED.get(model, Prices())


@pytest.fixture
def record(db):
    return add_plan(begin_turn(make_conversation(make_agent(model="known/model"))))


def test_a_cost_is_stored_with_its_shares(record):
    store_outcome(record, {**FIELDS, "usage": USAGE})

    assert RequestOutcome.objects.get().cost == {
        "currency": "USD",
        "total": "0.00066",
        "fresh": {"tokens": 400, "money": "0.0004"},
        "cache_read": {"tokens": 600, "money": "0.00006"},
        "cache_write": {"tokens": 0, "money": "0"},
        "output": {"tokens": 50, "money": "0.0002"},
    }


def test_a_later_price_does_not_touch_it(record, monkeypatch):
    store_outcome(record, {**FIELDS, "usage": USAGE})
    monkeypatch.setitem(PRICED, "known/model", Prices(Decimal(1), Decimal(1), Decimal(1)))

    cost = RequestOutcome.objects.get().as_dict()["cost"]

    assert (cost["total"], stored_cost("known/model", USAGE)["total"]) == ("0.00066", "1050")


@pytest.mark.parametrize(
    ("model", "usage"),
    [
        pytest.param("half/known", USAGE, id="no price for the output"),
        pytest.param("unheard/of", USAGE, id="no price at all"),
        pytest.param("known/model", None, id="nothing was reported"),
        pytest.param("free/at first", None, id="only a short prompt is free"),
        pytest.param("free/to read", None, id="only the prompt is free"),
        pytest.param("known/model", {**USAGE, "cache_read": 1_001}, id="nonsense was reported"),
    ],
)
def test_an_unknown_cost_is_none_and_never_0(model, usage):
    assert stored_cost(model, usage) is None


def test_a_free_models_request_costs_nothing_also_if_it_was_stopped():
    cost = stored_cost("free/model", None)

    assert cost["total"] == "0"
    assert cost["output"] == {"tokens": None, "money": "0"}


def test_an_outcome_without_usage_has_no_cost(record):
    store_outcome(record, FIELDS)

    assert RequestOutcome.objects.get().cost is None


@pytest.mark.django_db(transaction=True)
def test_a_conversation_that_is_gone_has_no_outcome(record):
    record.generation.conversation.delete()

    store_outcome(record, {**FIELDS, "usage": USAGE})

    assert not RequestOutcome.objects.exists()
