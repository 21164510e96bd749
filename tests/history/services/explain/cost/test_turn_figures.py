"""What each turn took, from the columns that hold it."""

import pytest

from history.services.explain.cost.turn_figures import TurnFigures, turn_figures
from tests.factories import (
    add_plan,
    begin_turn,
    branch_of,
    end_turn,
    make_conversation,
)

pytestmark = pytest.mark.django_db


def turn(conversation, *usages):
    """A whole turn with a request for each usage; the record of the last."""
    generation = begin_turn(conversation)
    for step, usage in enumerate(usages, 1):
        record = add_plan(generation, step, usage=usage)
    end_turn(generation)
    return record


def test_each_turn_counts_by_its_last_request(conversation):
    turn(conversation, {"prompt": 10}, {"prompt": 30, "cache_read": 10})
    record = turn(conversation, {"prompt": 50, "cache_read": 0})

    assert turn_figures(record) == [TurnFigures(1, 30, 10), TurnFigures(2, 50, 0)]


def test_turns_behind_the_shown_one_count_too(conversation):
    first = turn(conversation, {"prompt": 10})
    turn(conversation, {"prompt": 20})

    assert [figures.turn for figures in turn_figures(first)] == [1, 2]


def test_what_was_not_reported_was_estimated(conversation):
    record = turn(conversation, None)

    (figures,) = turn_figures(record)

    assert figures == TurnFigures(1, record.figures.counted, None, is_reported=False)
    assert figures.sent > 0


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

    assert [figures.sent for figures in turn_figures(first)] == [10, 30]
    assert [figures.sent for figures in turn_figures(new)] == [10, 30]
    assert [figures.sent for figures in turn_figures(left)] == [10, 20]


@pytest.mark.parametrize(
    ("sent", "cached", "share"),
    [
        pytest.param(100, 25, 0.25, id="a quarter"),
        pytest.param(100, None, None, id="not reported"),
        pytest.param(0, 0, None, id="nothing sent"),
        pytest.param(100, 200, 1, id="more than was sent"),
    ],
)
def test_the_share_from_the_cache(sent, cached, share):
    assert TurnFigures(1, sent, cached).share == share


def test_the_queries_do_not_grow(conversation, django_assert_num_queries):
    records = [turn(conversation, {"prompt": 10}) for _ in range(5)]

    with django_assert_num_queries(2):
        assert len(turn_figures(records[2])) == 5
