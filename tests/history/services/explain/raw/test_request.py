"""A request rebuilt from its record is the same as the sent one, as its hash proves."""

import pytest

from agents.tools import Tool
from history.core.transcript.messages import ToolCall
from history.models import Checkpoint, ContextPlan, GenerationEvent, StoredText
from history.services.explain.raw.request import CannotRebuild, events_of, rebuilt, response_of
from history.services.path.appending import append, assistant_message, result_message
from history.services.path.marks import mark
from history.services.path.reading import message_at
from tests.factories import (
    actor_for,
    add_plan,
    add_turn,
    begin_turn,
    branch_of,
    end_turn,
    make_agent,
    make_conversation,
    make_summary,
)

pytestmark = pytest.mark.django_db


def as_planned(parts):
    """Return the body that `add_plan` makes from the parts."""
    return vars(parts)


def conversation_with(turns=3, **fields):
    conversation = make_conversation(make_agent(**fields))
    for number in range(turns):
        add_turn(conversation, f"Question {number}", f"Answer {number}")
    return conversation


def use_a_tool(generation, id_="c1", text="42 " * 400):
    call = ToolCall(id_, "calculator", '{"expression": "6*7"}')
    drafts = [assistant_message("", [call]), result_message(call, text, failed=False)]
    append(branch_of(generation.conversation), drafts, generation)


def again(record):
    """Rebuild the request from a record read from the database, which is all that a page has."""
    return rebuilt(ContextPlan.objects.get(pk=record.pk), as_planned)


class TestTheSameRequest:
    def test_rebuilds_a_window(self):
        request = again(add_turn(conversation_with(history_settings={"length": 2})))

        assert request.matches
        assert [(sent.position, sent.label) for sent in request.sent] == [
            *((None, "system prompt"), (4, ""), (5, ""), (6, ""))
        ]
        assert request.sent[-1].content == {"role": "user", "content": "A question"}

    def test_after_the_conversation_went_on(self):
        conversation = conversation_with()
        record = add_turn(conversation)
        add_turn(conversation)
        pin = message_at(branch_of(conversation), 2)
        mark(actor_for(conversation), conversation.pk, pin.pk, "exclusion")

        assert again(record).matches

    def test_rebuilds_a_later_step_with_placeholders(self):
        settings = {"policy": "all", "tool_results_keep": 1}
        generation = begin_turn(conversation_with(history_settings=settings, tools=["calculator"]))
        add_plan(generation)
        use_a_tool(generation)
        add_plan(generation, step=2)
        use_a_tool(generation, "c2")

        request = again(add_plan(generation, step=3))

        assert request.matches
        assert [s.content["content"] for s in request.sent if s.content["role"] == "tool"] == [
            *("[Omitted]", "42 " * 400)
        ]

    def test_with_a_summary(self):
        conversation = conversation_with()
        make_summary(conversation)
        record = add_turn(conversation)
        Checkpoint.objects.update(state="undone")

        request = again(record)

        assert request.matches
        assert request.sent[1].label.startswith("checkpoint")

    def test_tighter_after_a_refusal(self):
        generation = begin_turn(conversation_with())
        add_plan(generation)

        assert again(add_plan(generation, step=2)).matches

    def test_with_tools_that_were_changed_since(self, monkeypatch):
        record = add_turn(conversation_with(tools=["calculator"]))
        renamed = property(lambda tool: {"type": "function", "function": {"name": tool.name}})
        monkeypatch.setattr(Tool, "schema", renamed)

        assert again(record).body["tools"][0]["function"]["parameters"]["properties"]


def test_another_text_behind_the_same_record_does_not_match():
    record = add_turn(conversation_with())
    record.request_hash = "0" * 64

    found = rebuilt(record, as_planned)

    assert not found.matches
    assert found.hash != record.request_hash


def test_a_record_of_a_tool_that_is_gone_cannot_be_made_again():
    record = add_turn(conversation_with())
    record.generation.snapshot["agent"]["tools"] = ["abacus"]

    with pytest.raises(CannotRebuild, match="No such tool: abacus"):
        rebuilt(record, as_planned)


def test_texts_are_stored_but_once():
    conversation = conversation_with()
    count = StoredText.objects.count()

    again(add_turn(conversation))

    assert StoredText.objects.count() == count


class TestTheResponse:
    def test_is_the_message_behind_the_head(self):
        record = add_turn(conversation_with(), answer="Here it is")

        assert response_of(record).text == "Here it is"

    def test_includes_the_calls(self):
        generation = begin_turn(conversation_with())
        first = add_plan(generation)
        use_a_tool(generation)
        second = add_plan(generation, step=2)
        end_turn(generation, "42")

        assert response_of(first).calls[0]["name"] == "calculator"
        assert response_of(second).text == "42"

    def test_belongs_to_the_step_that_was_answered(self):
        generation = begin_turn(conversation_with())
        refused, answered = add_plan(generation), add_plan(generation, step=2)
        end_turn(generation, "At last")

        assert response_of(refused) is None
        assert response_of(answered).text == "At last"

    def test_is_none_until_it_is_there(self):
        assert response_of(add_plan(begin_turn(conversation_with()))) is None


def test_events_come_by_pages_with_one_more_to_tell_of_the_next():
    generation = begin_turn(conversation_with())
    GenerationEvent.objects.bulk_create(
        GenerationEvent(generation=generation, seq=seq, kind="delta", payload={})
        for seq in (3, 1, 2)
    )

    assert [event.seq for event in events_of(generation, 0, 2)] == [1, 2, 3]
    assert [event.seq for event in events_of(generation, 2, 2)] == [3]
