"""Hashes find a client's messages again, but only in the client's own conversations."""

import re
from math import ceil

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import Image, Reasoning, ReasoningForm
from history.core.transcript.path_hash import path_hashes
from history.models import Branch, Message, MessageHash
from history.services.access import Actor
from history.services.path.appending import (
    append,
    assistant_message,
    head_of,
    result_message,
    user_message,
)
from history.services.path.prefixes import AT_ONCE, NEWEST, longest_stored_prefix
from history.services.path.reading import on_path
from tests.factories import actor_for, branch_of, make_agent, make_conversation

pytestmark = pytest.mark.django_db
CALL = ToolCall("c1", "search", '{"query": "cats"}')
TEXTS = st.sampled_from(["", " a", "a", "a\n", "b", "\U0001f6a2"])
DRAFTS = st.one_of(
    TEXTS.map(user_message),
    TEXTS.map(assistant_message),
    TEXTS.map(lambda text: assistant_message(text, [CALL])),
    TEXTS.map(lambda text: result_message(CALL, text)),
)
GROWN = st.tuples(st.lists(DRAFTS, max_size=3), st.integers(-1, 8), st.integers(0, 9))
slow = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def agent():
    return make_agent()


def told(conversation, count, begins="Tell me"):
    """Append turns to the open branch; return the hashes of its whole path."""
    for n in range(count):
        append(branch_of(conversation), [user_message(f"{begins} {n}"), assistant_message("Well")])
    return hashes_on(branch_of(conversation))


def hashes_on(branch):
    found = dict(MessageHash.objects.values_list("message", "hash"))
    return [found[row.pk] for row in rows_on(branch)]


def rows_on(branch):
    return Message.objects.filter(on_path(branch)).order_by("position")


def grow(agent, steps):
    """Make a tree of branches: each step forks off an earlier branch, and appends messages."""
    conversation = make_conversation(agent)
    branches = [branch_of(conversation)]
    for drafts, through, which in steps:
        left = branches[which % len(branches)]
        head = head_of(left)
        lineage = left.fork_lineage(min(through, head.position if head else -1))
        branches.append(Branch.objects.create(conversation=conversation, lineage=lineage))
        append(branches[-1], drafts)
    return branches


@slow
@given(steps=st.lists(GROWN, min_size=1, max_size=6))
def test_every_branch_has_the_hashes_of_its_path(agent, steps):
    """Branches share the rows and hashes of their common messages."""
    for branch in grow(agent, steps):
        path = [row.as_core() for row in rows_on(branch)]

        assert hashes_on(branch) == path_hashes(path)


@pytest.mark.parametrize(
    ("stored", "others"),
    [(1, 0), (1, 1_000), (2, 3), (3, 4), (30, 1), (31, 5), (60, 17), (59, 60), (60, 999)],
)
def test_the_longest_beginning_is_found(agent, stored, others):
    conversation = make_conversation(agent)
    hashes = told(conversation, ceil(stored / 2))[:stored]
    others = [f"{n:064x}" for n in range(others)]

    found = longest_stored_prefix(actor_for(conversation), [*hashes, *others])

    last = Message.objects.get(pk=found.message)
    assert (found.length, last.position, found.conversation) == (
        stored,
        stored - 1,
        conversation.pk,
    )


def test_on_a_branch_it_is_what_both_have_in_common_and_then_its_own(agent):
    conversation = make_conversation(agent)
    first = told(conversation, 3)
    conversation.branch = Branch.objects.create(
        conversation=conversation, lineage=branch_of(conversation).fork_lineage(1)
    )
    second = told(conversation, 2, "Rather")
    actor = actor_for(conversation)

    assert second[:2] == first[:2]
    assert longest_stored_prefix(actor, first).length == 6
    assert longest_stored_prefix(actor, second).length == 6
    assert longest_stored_prefix(actor, [*second[:4], "0" * 64, "1" * 64]).length == 4


def test_equal_conversations_of_two_people_are_found_by_their_own_only(agent, django_user_model):
    user = django_user_model.objects.create_user("ada")
    mine, theirs = make_conversation(agent, owner=user), make_conversation(agent)
    hashes = told(mine, 3)

    assert told(theirs, 4)[:6] == hashes
    assert longest_stored_prefix(actor_for(mine), hashes).conversation == mine.pk
    assert longest_stored_prefix(actor_for(theirs), hashes).conversation == theirs.pk
    assert longest_stored_prefix(Actor(visitor="f" * 32), hashes) is None
    assert longest_stored_prefix(Actor(), hashes) is None


def test_of_equal_conversations_the_newest_is_found(agent):
    first = make_conversation(agent, visitor="a" * 32)
    second = make_conversation(agent, visitor="a" * 32)
    told(first, 2)

    found = longest_stored_prefix(actor_for(first), told(second, 2))

    assert found.conversation == second.pk


def test_a_task_between_agents_is_nobodys_to_go_on_with(agent):
    parent = make_conversation(agent, visitor="a" * 32)
    asking = parent.generations.create(branch=parent.branch, turn=1, snapshot={})
    child = make_conversation(agent, visitor="a" * 32, asked_by=asking, depth=1)

    assert longest_stored_prefix(actor_for(child), told(child, 2)) is None


def test_reasoning_and_files_as_sent_make_no_difference(agent):
    conversation = make_conversation(agent)
    photo = Image("a" * 64, "b" * 64, "image/png", "cat.png")
    thought = Reasoning(ReasoningForm.TEXT, "A cat.")
    drafts = [
        user_message("What is it?", parts=[photo]),
        assistant_message("A cat.", parts=[thought]),
    ]
    append(branch_of(conversation), drafts)
    sent = [row.as_core() for row in rows_on(branch_of(conversation))]

    assert hashes_on(branch_of(conversation)) == path_hashes(sent)
    assert [row.role for row in sent] == [Role.USER, Role.ASSISTANT]


@pytest.mark.parametrize("length", [10, 1_000, 100_000])
def test_the_queries_are_as_many_at_any_length(agent, length):
    """One query finds a conversation that goes on; a few more find that there is none."""
    conversation = make_conversation(agent)
    stored = told(conversation, 2)
    actor = actor_for(conversation)
    others = [f"{n:064x}" for n in range(length)]

    with CaptureQueriesContext(
        connection,
    ) as going_on:
        longest_stored_prefix(actor, [*others, *stored])
    with CaptureQueriesContext(connection) as unknown:
        longest_stored_prefix(actor, others)

    assert len(going_on) == 1
    assert len(unknown) <= 6
    assert all(query["sql"].count("0" * 40) <= max(NEWEST, AT_ONCE) for query in unknown)


def test_a_hash_is_found_by_an_index(agent):
    conversation = make_conversation(agent)
    hashes = told(conversation, 500)[:3]
    with CaptureQueriesContext(connection) as queries:
        longest_stored_prefix(actor_for(conversation), hashes)
    (sql,) = [query["sql"] for query in queries]

    assert "history_hash_conversation" in explained(sql)
    assert not re.search("^SCAN|Seq Scan", explained(sql), re.MULTILINE)


def explained(sql):
    """Return the database's plan for a query. PostgreSQL would scan a table with so few rows, and
    its statistics may be missing or from another test; so they are refreshed and scans are turned
    off.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE history_messagehash, history_message, history_conversation")
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_bitmapscan = off")
            cursor.execute(f"EXPLAIN {sql}")
            return "\n".join(line for (line,) in cursor.fetchall())
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return "\n".join(row[3] for row in cursor.fetchall())
