"""An imported export has equal texts, parts, order and branches, but new ids and owners."""

import json
from itertools import chain, repeat
from typing import Any

import pytest
from django.contrib.auth.models import User

from agents.models import AgentTemplate
from history.core.plan.verdict import Verdict
from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import Reasoning, ReasoningForm
from history.models import (
    Branch,
    CallFigures,
    Checkpoint,
    Conversation,
    FileRecord,
    Message,
    MessageMark,
)
from history.models.file_record import unpacked_record
from history.services.access import Actor
from history.services.exports.chat_json import chat_json
from history.services.exports.reader import ExportReader
from history.services.path.appending import (
    append,
    assistant_message,
    result_message,
    user_message,
)
from history.services.path.marks import marks_on
from history.services.path.reading import on_path
from history.services.search import find
from tests.exported import ask_with_picture, make_full_chat
from tests.factories import (
    add_plan,
    begin_turn,
    branch_of,
    make_agent,
    make_conversation,
)
from tests.imported import copied

ROUND = 5  # The messages of one turn.


def told(message: Message) -> tuple[object, ...]:
    """Return what a message and its copy have in common: all but primary keys and digests."""
    parts = [
        (part["kind"], part.get("name"), part.get("text"), part.get("width"), part.get("fields"))
        for part in message.parts
    ]
    calls = [(call["id"], call["name"], call["arguments"]) for call in message.tool_calls]
    said = (message.role, message.text, message.failed, message.tool_call_id, message.created)
    return (message.position, message.turn, *said, str(parts), str(calls))


def paths(chat: Conversation) -> set[tuple[object, ...]]:
    return {
        tuple(map(told, Message.objects.filter(on_path(branch)).order_by("position")))
        for branch in chat.branches.all()
    }


def make_long_chat(messages: int) -> Conversation:
    """Make a chat of tool turns with reasoning; a tenth of its messages is on other branches."""
    chat = make_conversation(make_agent(), User.objects.create_user("ada"))
    first = branch_of(chat)
    append(first, list(_rounds("a", messages * 9 // 10 // ROUND)))
    for number in range(10):
        lineage = first.fork_lineage(number * ROUND * 3 + ROUND - 1)
        chat.branch = Branch.objects.create(conversation=chat, lineage=lineage)
        append(chat.branch, list(_rounds(f"b{number}", messages // 100 // ROUND)))
    chat.save()
    return chat


def _rounds(name, count):
    return chain.from_iterable(map(_round, repeat(name), range(count)))


def _round(name, number):
    call = ToolCall(f"{name}_{number}", "find_berth", f'{{"of": {number}}}')
    thought = Reasoning(ReasoningForm.SIGNED, f"Thought {number}", "anthropic", {"signature": "s"})
    yield user_message(f"Question {name} {number}")
    yield assistant_message("Let me look.", [call], parts=[thought])
    yield result_message(call, f"Berth {number}", failed=number % 7 == 0)
    yield assistant_message("It is")
    yield assistant_message(f"Berth **{number}**.")


def add_everything_else(chat: Conversation) -> None:
    """Add a picture, pins, exclusions, a summary and settings to the open branch."""
    branch = branch_of(chat)
    seen = ask_with_picture(chat, "map.png")
    for position, kind in ((0, "pin"), (ROUND, "exclusion"), (seen.position, "pin")):
        message = Message.objects.filter(on_path(branch)).get(position=position)
        MessageMark.objects.create(conversation=chat, message=message, kind=kind)
    Checkpoint.objects.create(
        **{"conversation": chat, "branch": branch, "first": 0, "last": ROUND - 1},
        **{"first_turn": 1, "last_turn": 1, "summary": "Ada asked.", "state": "ready"},
    )
    chat.history_settings = {"length": 3, "policy": "lastN"}
    chat.save()


def check_round_trip(messages: int) -> None:
    chat = make_long_chat(messages - 1)
    add_everything_else(chat)

    copy = copied(chat)

    assert copy.messages.count() == chat.messages.count() == messages
    assert copy.branches.count() == chat.branches.count() == 11
    assert paths(copy) == paths(chat)
    assert len(paths(copy)) == 11
    assert marks_on(branch_of(copy)) == marks_on(branch_of(chat))
    assert len(marks_on(branch_of(copy)).pins) == 2
    assert copy.history_settings == chat.history_settings
    (attachment,), (old,) = copy.attachments.all(), chat.attachments.all()
    assert (attachment.name, attachment.type) == (old.name, old.type)
    assert attachment.media.count() == old.media.count() == 1
    kept = [unpacked_record(row.packed)["summary"] for row in copy.file_records.all()]
    assert kept == ["Ada asked."]


@pytest.mark.django_db(transaction=True)
def test_a_long_chat_of_everything_comes_back_whole():
    check_round_trip(501)


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_ten_thousand_messages_come_back_whole():
    check_round_trip(10_001)


@pytest.mark.django_db(transaction=True)
def test_an_archive_comes_back_with_its_picture_marks_and_versions():
    chat = make_full_chat(User.objects.create_user("ada"))
    chat.history_settings = {"length": 3}
    chat.save()

    copy = copied(chat)

    assert paths(copy) == paths(chat)
    assert (copy.title, copy.history_settings) == (chat.title, {"length": 3})
    assert marks_on(branch_of(copy)).pins == {0}
    (attachment,) = copy.attachments.all()
    assert attachment.media.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_search_names_the_same_authors_in_a_copy_and_in_its_copy():
    chat = make_full_chat(User.objects.create_user("ada"), name="Harbour guide")
    AgentTemplate.objects.update(name="Renamed")

    copies = [copied(chat), copied(Conversation.objects.get(owner__username="bob"), "eve")]

    assert "Harbour guide" in authors(chat).values()
    assert [authors(copy) for copy in copies] == [authors(chat)] * 2


def authors(chat: Conversation) -> dict[str, str]:
    (found,) = find(Actor(chat.owner), "print", within=chat.pk)
    return {text.message.text: text.speaker for text in found.texts}


@pytest.mark.django_db(transaction=True)
def test_a_files_records_are_kept_as_the_files_word_and_make_none_of_ours():
    chat = make_full_chat(User.objects.create_user("ada"))
    (plan,), (summary,) = (sections(chat)[name] for name in ("plans", "summaries"))

    copy = copied(chat)

    assert copy.generations.count() == 0
    assert not CallFigures.objects.filter(conversation=copy).exists()
    again = sections(copy)
    assert again["plans"] == []
    kept, record = again["file_records"]
    assert (record["kind"], record["record"]) == ("request", plan)
    assert record["message"] == copy.messages.get(position=0, turn=1).pk
    assert (kept["kind"], kept["record"]) == ("summary", summary)
    assert kept["message"] == copy.messages.get(position=3).pk
    rows = FileRecord.objects.filter(conversation=copied(copy, "eve")).order_by("pk")
    assert [unpacked_record(row.packed) for row in rows] == [summary, plan]


@pytest.mark.django_db(transaction=True)
def test_a_files_summary_stands_for_no_message_here():
    chat = make_full_chat(User.objects.create_user("ada"))
    copy = copied(chat)

    plan = add_plan(begin_turn(copy, "And now?")).plan

    assert not copy.checkpoints.exists()
    assert Verdict.SUMMARISED not in {entry["verdict"] for entry in plan["entries"]}
    assert "They asked for the berth." not in json.dumps(plan)


def sections(chat: Conversation) -> dict[str, Any]:
    found: dict[str, Any] = json.loads("".join(chat_json(chat, ExportReader())))
    return found
