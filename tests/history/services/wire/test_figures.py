"""The overview's figures equal those of the plan, the outcome or the summary behind them."""

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from history.core.plan.plan import Plan
from history.models import CallFigures, Checkpoint, CheckpointState
from history.services.wire.figures import store_lost_figures, store_outcome, store_summary_figures
from tests.factories import (
    add_plan,
    add_turn,
    begin_turn,
    branch_of,
    make_agent,
    make_conversation,
)

pytestmark = pytest.mark.django_db
USAGE = {"prompt": 1_000, "completion": 50, "cache_read": 600}
COST = {"currency": "USD", "total": "0.00012345678"}
UNSENT = {"kind": "no_key", "message": "It needs a key.", "left": False}
REPORTED = ("prompt", "output", "cache_read", "cost")


def record_of(conversation):
    """Plan a second turn, whose window leaves the first one out."""
    add_turn(conversation)
    return add_plan(begin_turn(conversation, query="historyPolicy=lastN&historyLength=1"))


def figures(**of):
    return CallFigures.objects.get(**of)


def test_a_requests_figures_are_those_of_its_plan(conversation):
    record = record_of(conversation)
    store_outcome(record, {"total_ms": 1.0, "usage": USAGE})
    plan = Plan.from_dict(record.plan)

    found = figures(plan=record)

    left_out = sum(entry.tokens for entry in plan.not_sent())
    assert (found.conversation, found.model) == (conversation, "demo/mirror")
    assert found.created == record.created
    assert found.counted == plan.window.counted
    assert found.left_out == left_out > 0
    assert found.transcript == left_out + plan.window.history
    assert [getattr(found, name) for name in REPORTED] == [1_000, 50, 600, Decimal(0)]


@pytest.mark.parametrize(("model", "cost"), [("unheard/of", None), ("demo/mirror", 0)])
def test_what_was_not_reported_is_not_made_up(model, cost):
    record = record_of(make_conversation(make_agent(model=model)))
    store_outcome(record, {"total_ms": 1.0, "error": {"kind": "cut", "message": "Cut."}})

    assert [getattr(figures(plan=record), name) for name in REPORTED] == [None] * 3 + [cost]


@pytest.mark.parametrize(
    ("first", "times"), [(120.0, (120.0, 900.0)), (None, (None, None))], ids=["answer", "silence"]
)
def test_times_are_those_of_a_request_that_brought_anything(conversation, first, times):
    record = record_of(conversation)
    store_outcome(record, {"total_ms": 900.0, "first_token_ms": first})
    found = figures(plan=record)

    assert (found.first_ms, found.total_ms) == times


def test_what_was_never_sent_cost_nothing(conversation):
    record = record_of(conversation)
    store_outcome(record, {"total_ms": 1.0, "error": UNSENT})

    assert [getattr(figures(plan=record), name) for name in REPORTED] == [None] * 3 + [0]
    assert figures(plan=record).counted == 0


def test_a_report_that_comes_after_all_counts_instead_of_what_was_unknown(conversation):
    record = record_of(conversation)
    store_lost_figures(record.generation, brought=True)
    store_outcome(record, {"total_ms": 1.0, "usage": USAGE})

    assert [getattr(figures(plan=record), name) for name in REPORTED] == [
        1_000,
        50,
        600,
        Decimal(0),
    ]
    assert figures(plan=record).total_ms is None


@pytest.mark.parametrize("tokens", [-1, 2**31], ids=["below nothing", "past every column"])
def test_an_impossible_report_does_not_cost_the_outcome(conversation, tokens):
    record = record_of(conversation)
    store_outcome(record, {"total_ms": 1.0, "usage": {**USAGE, "cache_read": tokens}})

    assert record.outcome.usage["cache_read"] == tokens
    assert figures(plan=record).cache_read is None


def summary(conversation, **fields):
    return Checkpoint.objects.create(
        conversation=conversation,
        branch=branch_of(conversation),
        first=0,
        last=1,
        first_turn=1,
        last_turn=1,
        model="small/model",
        ended=timezone.now(),
        **fields,
    )


@pytest.mark.parametrize(
    ("state", "usage", "is_counted"),
    [
        pytest.param(CheckpointState.READY, USAGE, True, id="a summary"),
        pytest.param(CheckpointState.READY, None, True, id="one without a report"),
        pytest.param(CheckpointState.FAILED, USAGE, True, id="a useless answer"),
        pytest.param(CheckpointState.FAILED, None, False, id="a model never asked"),
    ],
)
def test_a_summarys_call_is_counted_where_there_was_one(conversation, state, usage, is_counted):
    row = summary(conversation, state=state, usage=usage, cost=COST if usage else None)
    store_summary_figures(row)
    store_summary_figures(row)  # A repetition changes nothing.

    expected = [1_000, 50, 600, Decimal(COST["total"])] if usage else [None] * 4
    rows = [[getattr(found, name) for name in REPORTED] for found in CallFigures.objects.all()]
    assert rows == ([expected] if is_counted else [])


def test_figures_are_of_one_call(conversation):
    record = record_of(conversation)
    both = {"plan": record, "summary": summary(conversation), "conversation": conversation}

    for of in (both, {"conversation": conversation}):
        with pytest.raises(IntegrityError), transaction.atomic():
            CallFigures.objects.create(**of, model="any", created=timezone.now())


def test_figures_are_deleted_with_their_conversation(conversation):
    store_outcome(record_of(conversation), {"total_ms": 1.0})
    conversation.delete()

    assert CallFigures.objects.count() == 0
