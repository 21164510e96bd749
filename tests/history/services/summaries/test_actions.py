"""People make summaries by hand, and undo them."""

import pytest
from asgiref.sync import async_to_sync

from history.core.transcript.messages import ToolCall
from history.models import Checkpoint, CheckpointState, Message
from history.services.access import Actor
from history.services.errors import Conflict, NotFound
from history.services.path.appending import append, assistant_message, result_message, user_message
from history.services.path.marks import mark
from history.services.summaries import actions
from history.services.summaries.actions import applying, begin_compact, undo, undo_newest
from history.services.summaries.due import next_fold, next_summary
from history.services.summaries.target import present_target, target_of
from history.services.summaries.writing import make
from tests.factories import actor_for, begin_turn, branch_of
from tests.history.services import summarisers
from tests.history.services.summaries.summarising import (
    LONG,
    after,
    aside,
    chat,
    ends_after,
    reply,
    say,
    sent,
)

pytestmark = pytest.mark.django_db
STRANGER = Actor(visitor="somebody else")


def compact(conversation):
    job = begin_compact(actor_for(conversation), conversation.pk)
    return async_to_sync(make)(job, summarisers.prose, aside)


@pytest.fixture
def conversation():
    """Make a conversation of eight messages without automatic summaries."""
    conversation, _ = chat(8, summarize=None)
    return conversation


def test_all_but_the_newest_exchange_is_summarised(conversation):
    row = compact(conversation)

    assert (row.state, row.first, row.last, row.manual) == ("ready", 0, 5, True)
    assert sent(begin_turn(conversation)) == "SSSSSSKKK"


def test_pinned_messages_are_sent_beside_it_and_not_counted_as_replaced(conversation):
    call = ToolCall("c1", "look", "{}")
    used = [assistant_message("", [call]), result_message(call, LONG)]
    first, *_ = append(branch_of(conversation), [user_message(LONG), *used, user_message(LONG)])
    messages = list(Message.objects.filter(position__lte=first.position + 2).order_by("position"))
    for pinned in (messages[0], messages[-1]):
        mark(actor_for(conversation), conversation.pk, pinned.pk, "pin")

    row = compact(conversation)

    assert row.last == first.position + 2
    assert row.source_tokens == sum(message.tokens for message in messages[1:-2])
    assert sent(begin_turn(conversation)).startswith("KSSSSSS")


def test_the_newest_exchange_is_left_whole_where_it_used_a_tool(conversation):
    call = ToolCall("c1", "look", "{}")
    used = [assistant_message("", [call]), result_message(call, LONG), assistant_message(LONG)]
    append(branch_of(conversation), [user_message(LONG), *used])

    row = compact(conversation)

    assert (row.first, row.last) == (0, 7)
    assert sent(begin_turn(conversation)) == "S" * 8 + "KKKKK"


def test_a_second_one_stands_for_what_came_since(conversation):
    compact(conversation)
    say(conversation, 4)
    row = compact(conversation)

    assert (row.first, row.last) == (6, 9)


@pytest.mark.words
def test_with_nothing_but_the_newest_exchange_there_is_nothing_to_do(conversation):
    compact(conversation)

    with pytest.raises(Conflict, match="nothing to summarise"):
        compact(conversation)


def test_taken_back_everything_is_sent_again_and_the_record_stays(conversation):
    row = compact(conversation)
    undo(actor_for(conversation), conversation.pk, row.pk)

    assert sent(begin_turn(conversation)) == "K" * 9
    stored = Checkpoint.objects.get()
    assert (stored.state, stored.summary) == ("undone", "Summary 1.")


@pytest.mark.words
def test_only_the_newest_one_can_be_taken_back(conversation):
    first = compact(conversation)
    say(conversation, 4)
    second = compact(conversation)

    with pytest.raises(Conflict, match="can be undone: summary 2"):
        undo(actor_for(conversation), conversation.pk, first.pk)
    assert undo_newest(actor_for(conversation), conversation.pk).pk == second.pk
    assert undo_newest(actor_for(conversation), conversation.pk).pk == first.pk
    with pytest.raises(Conflict, match="no summary to undo"):
        undo_newest(actor_for(conversation), conversation.pk)


def test_a_fold_that_is_taken_back_brings_its_parts_back():
    conversation, generation = chat(10, max_checkpoints=1)
    after(generation)
    say(conversation, 2)
    *_, fold = after(reply(conversation))
    assert [point.id for point in applying(conversation)] == [fold.pk]

    undo(actor_for(conversation), conversation.pk, fold.pk)

    assert [(p.first, p.last) for p in applying(conversation)] == [(0, 7), (8, 11)]
    assert set(Checkpoint.objects.values_list("state", flat=True)) == {"ready", "undone"}


def test_what_was_taken_back_is_not_made_again_at_once():
    conversation, generation = chat(10)
    (row,) = after(generation)
    undo(actor_for(conversation), conversation.pk, row.pk)

    assert after(generation) == []
    assert [(r.first, r.last) for r in after(reply(conversation))] == [(0, 9)]


@pytest.mark.words
@pytest.mark.parametrize("act", [begin_compact, undo_newest])
def test_while_an_answer_is_written_the_summaries_stay(conversation, act):
    compact(conversation)
    begin_turn(conversation)

    with pytest.raises(Conflict, match="still being written"):
        act(actor_for(conversation), conversation.pk)


@pytest.mark.words
def test_while_one_is_made_there_is_no_other():
    conversation, generation = chat(10)
    job = next_summary(target_of(generation))

    with pytest.raises(Conflict, match="already being written"):
        begin_compact(actor_for(conversation), conversation.pk)
    with pytest.raises(Conflict, match="already being written"):
        undo(actor_for(conversation), conversation.pk, job.row.pk)
    assert next_fold(job.target) is None


def test_one_that_began_meanwhile_and_ends_is_not_made_twice(monkeypatch):
    conversation, generation = chat(10)

    def another_begins(conversation):
        job = next_summary(target_of(generation))
        ends_after(monkeypatch, "due", job.row)
        return present_target(conversation)

    monkeypatch.setattr(actions, "present_target", another_begins)
    with pytest.raises(Conflict) as refused:
        begin_compact(actor_for(conversation), conversation.pk)

    assert refused.value.code == "busy"
    assert Checkpoint.objects.count() == 1


def test_a_fold_that_ends_while_another_looks_is_not_made_twice(monkeypatch):
    conversation, generation = chat(10, max_checkpoints=1)
    after(generation)
    say(conversation, 2)
    made = next_summary(target_of(reply(conversation)))
    async_to_sync(make)(made, summarisers.prose, aside)
    fold = next_fold(made.target)
    ends_after(monkeypatch, "points", fold.row)

    assert next_fold(made.target) is None
    assert Checkpoint.objects.count() == 3


@pytest.mark.parametrize("act", [begin_compact, undo_newest])
def test_a_stranger_finds_nothing(conversation, act):
    with pytest.raises(NotFound):
        act(STRANGER, conversation.pk)


def test_a_summary_of_another_conversation_is_not_there(conversation):
    row = compact(conversation)
    Checkpoint.objects.filter(pk=row.pk).update(state=CheckpointState.READY)

    with pytest.raises(NotFound):
        undo(actor_for(conversation), conversation.pk, row.pk + 1)


@pytest.mark.words
def test_under_policy_none_none_is_made_by_hand():
    conversation, _ = chat(8, policy="none")

    with pytest.raises(Conflict, match="No summary was written because History policy none"):
        compact(conversation)
    assert applying(conversation) == ()
