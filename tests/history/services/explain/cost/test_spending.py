"""Money and tokens of an answer and of a conversation. Unknown figures never count as zero."""

from decimal import Decimal

import pytest

from history.core.money.cost import Prices
from history.core.plan.plan import Plan
from history.models import RequestOutcome
from history.services.explain.cost.spending import (
    SpendingTotal,
    conversation_total,
    dearer_money,
    spent,
    step_costs,
    steps_of,
    sum_of,
    trimming,
)
from history.services.wire.figures import store_summary_figures
from tests.factories import add_plan, add_turn, begin_turn, make_agent, make_conversation
from tests.history.services.wire.test_figures import UNSENT

USAGE = {"prompt": 1_205, "completion": 40, "cache_read": 1_000, "cache_write": 200}
COST = {
    "currency": "USD",
    "total": "0.0042",
    "fresh": {"tokens": 5, "money": "0.0001"},
    "cache_read": {"tokens": 1_000, "money": "0.001"},
    "cache_write": {"tokens": 200, "money": "0.0011"},
    "output": {"tokens": 40, "money": "0.002"},
}
PRICES = Prices(input=Decimal("0.00001"), output=Decimal("0.00003"), cache_read=Decimal("0.000001"))


def tokens(found):
    return [found.shares[kind].tokens for kind in ("fresh", "cache_read", "cache_write", "output")]


def test_a_request_by_kind():
    found = spent(RequestOutcome(usage=USAGE, cost=COST))

    assert tokens(found) == [5, 1_000, 200, 40]
    assert found.shares["cache_write"].money == Decimal("0.0011")
    assert found.total == Decimal("0.0042")


@pytest.mark.parametrize(
    ("outcome", "figures", "total"),
    [
        pytest.param(None, [None] * 4, None, id="no outcome yet"),
        pytest.param(RequestOutcome(), [None] * 4, None, id="nothing reported"),
        pytest.param(
            RequestOutcome(cost={"total": "0"}),
            [None] * 4,
            Decimal(0),
            id="nothing reported of a free model",
        ),
        pytest.param(RequestOutcome(usage=USAGE), [5, 1_000, 200, 40], None, id="no price"),
        pytest.param(
            RequestOutcome(usage={"prompt": 50, "completion": 5}, cost={**COST, "total": "0"}),
            [50, None, None, 5],
            Decimal(0),
            id="no word of a cache",
        ),
    ],
)
def test_what_is_not_known_is_none(outcome, figures, total):
    found = spent(outcome)

    assert (tokens(found), found.total) == (figures, total)
    assert all(share.money is None for share in found.shares.values() if share.tokens is None)


def test_several_requests_are_summed():
    part = spent(RequestOutcome(usage=USAGE, cost=COST))

    found = sum_of([part, part])

    assert tokens(found) == [10, 2_000, 400, 80]
    assert found.total == Decimal("0.0084")


def test_one_unknown_request_makes_the_sum_unknown():
    found = sum_of([spent(RequestOutcome(usage=USAGE, cost=COST)), spent(None)])

    assert (tokens(found), found.total) == ([None] * 4, None)


def test_a_cache_that_one_request_did_not_report_counts_as_fresh():
    """Otherwise the kinds would not add up to the total."""
    silent = {
        "total": "0.003",
        "fresh": {"tokens": 50, "money": "0.001"},
        "output": {"tokens": 5, "money": "0.002"},
    }
    reported = spent(RequestOutcome(usage=USAGE, cost=COST))
    unreported = spent(RequestOutcome(usage={"prompt": 50, "completion": 5}, cost=silent))

    found = sum_of([reported, unreported])

    assert tokens(found) == [55, 1_000, 200, 45]
    assert sum(share.money for share in found.shares.values()) == found.total == Decimal("0.0072")
    assert (found.silent, sum_of([unreported, unreported]).silent) == (1, 0)
    assert tokens(sum_of([unreported, unreported])) == [100, None, None, 10]


def test_no_request_at_all_has_no_cost():
    assert sum_of([]).total is None


def test_sums_add_up_to_what_is_known():
    nothing, some = (
        SpendingTotal(1, 1, None, None, None),
        SpendingTotal(2, 0, Decimal(3), 10, 5, summaries=1),
    )

    assert nothing + some == SpendingTotal(3, 1, Decimal(3), 10, 5, summaries=1)
    assert some + some == SpendingTotal(4, 0, Decimal(6), 20, 10, summaries=2)
    assert nothing + nothing == SpendingTotal(2, 2, None, None, None)


@pytest.mark.django_db
class TestStored:
    @pytest.fixture
    def conversation(self):
        return make_conversation(make_agent(history_settings={"policy": "lastN", "length": 1}))

    def test_every_step_of_a_reply_is_there(self, conversation):
        generation = begin_turn(conversation)
        add_plan(generation, usage=USAGE, cost=COST)
        add_plan(generation, step=2)

        found = step_costs(steps_of(generation))

        assert [(part.step, part.spent.total) for part in found] == [
            *((1, Decimal("0.0042")), (2, None))
        ]

    def test_the_conversation_counts_what_is_known_and_says_what_is_not(self, conversation):
        generation = begin_turn(conversation)
        add_plan(generation, usage=USAGE, cost=COST)
        add_plan(generation, step=2, usage=USAGE)
        add_plan(generation, step=3, error={"kind": "auth", "message": "Refused"})

        found = conversation_total(conversation)

        assert (found.requests, found.unknown, found.unanswered) == (3, 1, 1)
        assert found.money == Decimal("0.0042")
        assert (found.prompt, found.output) == (2_410, 80)

    def test_what_never_left_is_no_request(self, conversation):
        generation = begin_turn(conversation)
        add_plan(generation, error=UNSENT)
        assert conversation_total(conversation) == SpendingTotal(0, 0, Decimal(0), None, None)
        add_plan(generation, step=2, usage=USAGE, cost=COST)

        found = conversation_total(conversation)

        assert (found.requests, found.unknown, found.money) == (1, 0, Decimal("0.0042"))

    def test_a_conversation_in_which_nothing_is_known(self, conversation):
        assert conversation_total(conversation).money is None

    def test_summaries_are_paid_for_even_where_they_came_to_nothing(self, conversation):
        add_turn(conversation)
        place = {"branch": conversation.branch, "first": 0, "last": 1, "last_turn": 1}
        for fields in (
            {"state": "ready", "summary": "They met."},
            {"state": "failed", "usage": USAGE, "cost": COST},
            {"state": "failed", "reason": "there is no such model"},
        ):
            row = conversation.checkpoints.create(first_turn=1, **place, **fields)
            store_summary_figures(row)

        found = conversation_total(conversation)

        assert (found.requests, found.summaries, found.unknown) == (3, 2, 2)
        assert (found.money, found.prompt) == (Decimal("0.0042"), 1_255)

    def test_trimming_saves_what_it_leaves_out(self, conversation):
        add_turn(conversation)
        record = add_turn(conversation)
        plan = Plan.from_dict(record.plan)
        left_out = sum(entry.tokens for entry in plan.not_sent())

        found = trimming(plan, PRICES)

        assert found.tokens == left_out > 0
        assert found.money == left_out * Decimal("0.00001")

    def test_prices_that_are_not_known_make_the_money_unknown(self, conversation):
        add_turn(conversation)
        plan = Plan.from_dict(add_turn(conversation).plan)

        assert trimming(plan, Prices()).money is None
        assert dearer_money(0, plan, Prices()) == 0
        assert dearer_money(1_000, plan, PRICES) == Decimal("0.009")
        assert dearer_money(1_000, plan, Prices(input=Decimal(1))) is None
