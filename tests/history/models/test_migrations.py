"""What was stored before a column existed is in it after the migration."""

import importlib

import pytest
from django.apps import apps

from history.models import CallFigures, Checkpoint, CheckpointState, MessageHash
from history.services.money.figures import store_outcome, store_summary_figures
from tests.factories import (
    add_plan,
    begin_turn,
    branch_of,
    end_turn,
    make_agent,
    make_conversation,
)

fill = importlib.import_module("history.migrations.0009_fill_call_figures").fill
name_agents = importlib.import_module("history.migrations.0017_fill_figures_agent").fill
fill_times = importlib.import_module("history.migrations.0046_fill_figures_times").fill
hash_paths = importlib.import_module("history.migrations.0022_fill_path_hashes").fill
USAGE = {"prompt": 1_000, "completion": 50}
TIMES = {"first_token_ms": 0.5, "total_ms": 1.0}


@pytest.fixture
def conversation(db):
    """Two requests, one of them without a report, and a summary."""
    conversation = make_conversation(make_agent())
    for usage in (USAGE, None):
        generation = begin_turn(conversation, query="historyPolicy=lastN&historyLength=1")
        store_outcome(add_plan(generation), {**TIMES, "usage": usage})
        end_turn(generation)
    row = Checkpoint.objects.create(
        conversation=conversation,
        branch=branch_of(conversation),
        first=0,
        last=1,
        first_turn=1,
        last_turn=1,
        state=CheckpointState.READY,
        usage=USAGE,
        cost={"currency": "USD", "total": "0.25"},
    )
    store_summary_figures(row)
    return conversation


def figures(conversation):
    rows = conversation.figures.order_by("created").values()
    return [{**row, "id": None} for row in rows]


def test_the_figures_of_old_calls_are_those_that_new_ones_get(conversation):
    written = figures(conversation)
    CallFigures.objects.all().delete()

    fill(apps, None)
    name_agents(apps, None)
    fill_times(apps, None)

    assert {row["total_ms"] for row in written} == {None, 1.0}
    assert {row["agent"] for row in written} == {"demo"}
    assert len(written) == 3
    assert figures(conversation) == written


def test_old_messages_get_the_hashes_that_new_ones_have(conversation):
    newest = branch_of(conversation)
    for through in (2, 0, -1):
        lineage = newest.fork_lineage(through)
        conversation.branch = conversation.branches.create(lineage=lineage)
        conversation.save()
        end_turn(begin_turn(conversation))
    written = set(MessageHash.objects.values_list("message", "conversation", "hash"))
    MessageHash.objects.filter(conversation=conversation)._raw_delete("default")

    hash_paths(apps, None)

    assert set(MessageHash.objects.values_list("message", "conversation", "hash")) == written
    assert len(written) == conversation.messages.count()
