"""The figures of each turn, read from the columns that store them."""

import pytest

from history.models import CallFigures
from history.services.explain.turn_figures import TurnFigures, turn_figures
from tests.factories import (
    add_plan,
    begin_turn,
    branch_of,
    end_turn,
    make_conversation,
)

pytestmark = pytest.mark.django_db


def turn(conversation, *usages):
    """Make a turn with one request for each usage; return the record of the last request."""
    generation = begin_turn(conversation)
    for step, usage in enumerate(usages, 1):
        record = add_plan(generation, step, usage=usage)
    end_turn(generation)
    return record


def test_each_turn_counts_by_its_last_request(conversation):
    first = turn(conversation, {"prompt": 10}, {"prompt": 30, "cache_read": 10})
    record = turn(conversation, {"prompt": 50, "cache_read": 0})

    assert turn_figures(record) == [
        TurnFigures(1, first.core_plan.window.sent, 10, 30),
        TurnFigures(2, record.core_plan.window.sent, 0, 50),
    ]


def test_the_shown_turn_counts_by_the_shown_request(conversation):
    turn(conversation, {"prompt": 10}, {"prompt": 30, "cache_read": 10})
    first, second = conversation.generations.get().plans.order_by("step")

    assert [figures.prompt for figures in turn_figures(first)] == [10]
    assert [figures.prompt for figures in turn_figures(second)] == [30]


def test_a_request_that_has_not_ended_has_a_bar_too(conversation):
    turn(conversation, {"prompt": 10})
    record = add_plan(begin_turn(conversation))
    CallFigures.objects.filter(plan=record).delete()

    now = turn_figures(record)[-1]

    assert now == TurnFigures(2, record.core_plan.window.sent)


def test_turns_behind_the_shown_one_count_too(conversation):
    first = turn(conversation, {"prompt": 10})
    turn(conversation, {"prompt": 20})

    assert [figures.turn for figures in turn_figures(first)] == [1, 2]


def test_nothing_is_made_up_that_was_not_reported(conversation):
    record = turn(conversation, None)

    (figures,) = turn_figures(record)

    assert figures == TurnFigures(1, record.core_plan.window.sent)
    assert figures.sent == record.figures.counted > 0


def test_another_branch_and_another_conversation_do_not_count(conversation):
    turn(make_conversation(conversation.agent), {"prompt": 9})
    first = turn(conversation, {"prompt": 10})
    left = turn(conversation, {"prompt": 20})
    conversation.branch = conversation.branches.create(
        lineage=branch_of(conversation).fork_lineage(through=first.head + 1)
    )
    conversation.save()
    first.generation.conversation = left.generation.conversation = conversation
    new = turn(conversation, {"prompt": 30})

    assert [figures.prompt for figures in turn_figures(first)] == [10, 30]
    assert [figures.prompt for figures in turn_figures(new)] == [10, 30]
    assert [figures.prompt for figures in turn_figures(left)] == [10, 20]


@pytest.mark.parametrize(
    ("prompt", "cached", "share"),
    [
        pytest.param(100, 25, 0.25, id="a quarter"),
        pytest.param(100, None, None, id="only the prompt was reported"),
        pytest.param(None, None, None, id="nothing was reported"),
        pytest.param(0, 0, None, id="nothing sent"),
        pytest.param(100, 200, 1, id="more than was sent"),
    ],
)
def test_the_share_from_the_cache(prompt, cached, share):
    assert TurnFigures(1, 7, cached, prompt).share == share


def test_the_queries_do_not_grow(conversation, django_assert_num_queries):
    records = [turn(conversation, {"prompt": 10}) for _ in range(5)]

    with django_assert_num_queries(2):
        assert len(turn_figures(records[2])) == 5


def test_a_turn_whose_last_request_never_left_counts_by_the_one_that_did(conversation):
    generation = begin_turn(conversation)
    sent = add_plan(generation, usage={"prompt": 10})
    add_plan(generation, 2, error={"kind": "unreachable", "message": "", "left": False})
    end_turn(generation)

    first, _ = turn_figures(turn(conversation, {"prompt": 20}))

    assert first == TurnFigures(1, sent.core_plan.window.sent, None, 10)
