"""Summaries made after an answer: when they are due, which of them apply, and how they fail."""

import pytest

from history.models import Checkpoint, CheckpointState, Message
from history.services.answers.editing import edit
from history.services.path.appending import append, assistant_message, user_message
from history.services.path.reading import message_at
from history.services.summaries import due
from history.services.summaries.due import next_summary
from history.services.summaries.target import PAGE, target_of
from tests.factories import (
    actor_for,
    begin_turn,
    branch_of,
    end_turn,
    make_agent,
    make_conversation,
)
from tests.history.services import summarisers
from tests.history.services.conftest import reword
from tests.history.services.summaries.summarising import (
    LONG,
    QUICK,
    after,
    chat,
    ends_after,
    ranges,
    reply,
    say,
    sent,
)

pytestmark = pytest.mark.django_db


def test_a_summary_is_made_when_it_is_due_and_sent_with_the_next_request():
    conversation, generation = chat(10)
    (row,) = after(generation)

    assert (row.state, row.first, row.last, row.summary) == ("ready", 0, 7, "Summary 1.")
    assert (row.first_turn, row.last_turn, row.model) == (1, 4, "demo/mirror")
    assert row.source_tokens == sum(m.tokens for m in Message.objects.filter(position__lte=7))
    assert sent(begin_turn(conversation)) == "S" * 8 + "KKK"


def test_nothing_is_due_before():
    _, generation = chat(8)

    assert after(generation) == []


def test_the_next_one_stands_for_what_came_since():
    conversation, generation = chat(10)
    after(generation)
    say(conversation, 2)

    assert ranges(after(reply(conversation))) == [(8, 11)]


def test_summaries_are_off_by_default():
    _, generation = chat(40, summarize=None)

    assert after(generation) == []


def test_policy_none_asks_for_no_summary():
    _, generation = chat(40, policy="none")

    assert after(generation) == []


def test_after_a_failure_some_messages_come_first():
    conversation, generation = chat(10, summarize_every=4)
    after(generation, summarisers.refusing)

    assert ranges(after(reply(conversation))) == []
    assert ranges(after(reply(conversation))) == [(0, 11)]


def test_one_is_made_at_a_time():
    _, generation = chat(10)
    job = next_summary(target_of(generation))

    assert job.row.state == CheckpointState.PENDING
    assert next_summary(target_of(generation)) is None


def test_one_that_ends_while_another_looks_is_not_made_twice(monkeypatch):
    conversation, first = chat(10)
    made = next_summary(target_of(first)).row
    say(conversation, 2)
    ends_after(monkeypatch, "due", made)

    assert next_summary(target_of(reply(conversation))) is None
    assert ranges(Checkpoint.objects.all()) == [(0, 7)]


def test_one_that_begins_and_ends_while_another_looks_is_not_made_twice(monkeypatch):
    conversation, first = chat(10)
    say(conversation, 2)
    second = reply(conversation)
    look = due.is_making

    def and_then_another_begins(conversation_id):
        seen = look(conversation_id)
        monkeypatch.setattr(due, "is_making", look)
        ends_after(monkeypatch, "due", next_summary(target_of(first)).row)
        return seen

    monkeypatch.setattr(due, "is_making", and_then_another_begins)

    assert next_summary(target_of(second)) is None
    assert Checkpoint.objects.count() == 1


SMALL = {"context_window": 2_048, "output_reserve": 256}


def test_a_long_backlog_is_caught_up_one_after_the_other():
    _, generation = chat(80, **SMALL, policy="lastN", length=2)
    made = after(generation)

    assert len(made) > 2
    assert [row.first for row in made[1:]] == [row.last + 1 for row in made[:-1]]
    assert made[-1].last == 77
    assert all(len(messages[1]["content"]) < 2_048 * 5 for _, messages, _ in summarisers.asked)


def test_at_most_a_page_is_read_for_one_summary():
    _, generation = chat(PAGE + 202, context_window=1_000_000)

    assert ranges(after(generation)) == [(0, PAGE - 2), (PAGE - 1, PAGE + 199)]


def test_a_message_that_is_too_large_alone_is_shortened():
    agent = make_agent(history_settings={**QUICK, **SMALL})
    conversation = make_conversation(agent)
    append(branch_of(conversation), [user_message("word " * 9_000), assistant_message(LONG)])
    say(conversation, 6)
    made = after(reply(conversation))

    assert ranges(made)[0] == (0, 0)
    assert made[0].source_tokens > 9_000
    assert "characters left out" in summarisers.asked[0][1][1]["content"]


def test_over_the_budget_a_summary_is_due_at_once():
    values = {"summarize": None, "pruner": "summarize", "token_budget": 700, "trigger_at": 100}
    conversation, generation = chat(20, output_reserve=100, min_history_turns=0, **values)
    made = after(generation)

    assert ranges(made) == [(0, 17)]
    assert sent(begin_turn(conversation)) == "S" * 18 + "KKK"


def test_within_the_budget_none_is():
    values = {"summarize": None, "pruner": "summarize", "trigger_at": 100}
    _, generation = chat(20, **values)

    assert after(generation) == []


def test_the_oldest_half_of_too_many_is_folded_into_one():
    conversation, generation = chat(10, max_checkpoints=3)
    after(generation)
    for _ in range(3):
        say(conversation, 2)
        made = after(reply(conversation))
    fold = made[-1]
    parts = Checkpoint.objects.filter(folded_into=fold)

    assert ranges(made) == [(16, 19), (0, 11)]
    assert [row.state for row in parts] == ["folded", "folded"]
    assert fold.source_tokens == sum(part.source_tokens for part in parts)
    assert "Summary 1.\n\nSummary 2." in summarisers.asked[-1][1][1]["content"]
    assert sent(begin_turn(conversation)) == "S" * 20 + "KKK"


def test_a_branch_that_parts_before_its_end_never_sees_a_summary():
    conversation, generation = chat(10)
    after(generation)
    early, late = message_at(branch_of(conversation), 4), message_at(branch_of(conversation), 8)

    there = edit(actor_for(conversation), reword(late.pk, conversation=conversation.pk))
    assert sent(there.generation) == "S" * 8 + "K"
    end_turn(there.generation)
    conversation.refresh_from_db()
    here = edit(actor_for(conversation), reword(early.pk, conversation=conversation.pk))
    assert sent(here.generation) == "KKKKK"
