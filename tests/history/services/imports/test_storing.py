"""Chats of a file are stored whole or not at all, once, with the order and times of the file, and
their instructions are withheld from models.
"""

import json
from datetime import UTC, datetime, timedelta
from io import BytesIO
from threading import Event

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage

from chatapp.imports import files, reading
from chatapp.imports.report import report_of
from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import Reasoning, ReasoningForm
from history.models import (
    Attachment,
    Branch,
    Conversation,
    Import,
    ImportEntry,
    ImportState,
    MessageMark,
    Stray,
)
from history.services.access import Actor, adopt_visitor
from history.services.answers.deleting import delete_everything
from history.services.errors import Conflict, NotFound
from history.services.imports import building, lifecycle, storing
from history.services.imports.chats import ImportedChat, ImportedMessage, Unreadable, Why
from history.services.imports.lifecycle import ImportRequest
from history.services.path.reading import newest_messages, siblings
from history.services.search import find
from tests.attached import picture
from tests.factories import make_agent
from tests.history.services.imports.files import chatgpt, node, written, zipped

pytestmark = pytest.mark.django_db
ADA = Actor(visitor="a" * 32)
LATER = 1_700_000_400
BRANCHED = chatgpt(
    node("s", "root", "system", "Be rude."),
    node("a", "s", text="The capital of France?", create_time=LATER, children=["b", "b2"]),
    node("b", "a", "assistant", "Lyon", metadata={"model_slug": "gpt-4o"}),
    node("b2", "a", "assistant", "Paris", create_time=LATER + 5),
    node("c", "b2", text="Sure?", create_time=LATER + 4_000),
    current="c",
)


@pytest.fixture(autouse=True)
def demo():
    return make_agent()


def begun(content, actor=ADA, **fields):
    data = written(content)
    given = {"name": "export.zip", "size": len(data), "digest": str(hash(data)), "agent": "demo"}
    return lifecycle.begin(actor, ImportRequest(BytesIO(data), **{**given, **fields}))[0]


def go_on(job, stopping=None):
    claimed = lifecycle.claim(job.pk, "here")
    assert claimed
    reading.run(claimed, stopping or Event())
    return Import.objects.get(pk=job.pk)


def imported(content, **fields):
    return go_on(begun(content, **fields))


def path_of(conversation):
    return newest_messages(conversation.branch, None, 200)


def test_a_chat_keeps_its_order_branches_times_and_authors():
    job = imported([BRANCHED])

    conversation = Conversation.objects.get()
    path = path_of(conversation)
    assert (job.state, job.format, job.percent) == (ImportState.DONE, "chatgpt", 100)
    assert [m.text for m in path] == ["Be rude.", "The capital of France?", "Paris", "Sure?"]
    assert [(m.position, m.turn) for m in path] == [(0, 0), (1, 1), (2, 1), (3, 2)]
    assert path[1].created == datetime.fromtimestamp(LATER, UTC)
    assert [m.cold for m in path] == [False, True, False, True]
    assert all(m.imported for m in path)
    assert [m.withheld for m in path] == [True, False, False, False]
    assert conversation.imported == "chatgpt"
    assert conversation.active == path[-1].created
    choices = siblings(conversation, conversation.branch)
    assert list(choices) == [2]
    other = Branch.objects.get(pk=choices[2][0])
    assert [(m.text, m.model) for m in newest_messages(other, None, 9)][-1] == ("Lyon", "gpt-4o")


@pytest.mark.django_db(transaction=True)
def test_the_file_is_deleted_when_it_is_done_and_when_its_owner_is():
    done = begun([BRANCHED])
    assert default_storage.exists(done.file.name)
    go_on(done)
    left = begun([BRANCHED], actor=Actor(ada := User.objects.create_user("ada")))
    ada.delete()

    assert not default_storage.exists(done.file.name)
    assert not default_storage.exists(left.file.name)
    assert not Stray.objects.exists()


def test_the_same_chat_comes_once_until_it_is_deleted():
    grown = chatgpt(node("a", "root", text="More"), id="c-1")
    imported([BRANCHED])
    again = imported([BRANCHED, grown])
    outcomes = list(again.entries.order_by("number").values_list("outcome", flat=True))
    assert outcomes == ["known", "stored"]
    assert Conversation.objects.count() == 2
    for conversation in Conversation.objects.all():
        conversation.delete()
    assert imported([BRANCHED]).entries.get().outcome == "stored"
    assert imported([BRANCHED], actor=Actor(visitor="b" * 32)).entries.get().outcome == "stored"


def test_the_same_file_is_not_read_twice_at_once():
    first = begun([BRANCHED])

    assert begun([BRANCHED]) == first
    for number in range(lifecycle.AT_ONCE - 1):
        begun([BRANCHED], digest=str(number))
    with pytest.raises(Conflict):
        begun([BRANCHED], digest="one more")


def test_it_goes_on_where_it_stopped_and_no_chat_comes_twice(monkeypatch):
    chats = [chatgpt(node("a", "root", text=f"Q{n}"), id=str(n), title=str(n)) for n in range(6)]
    job, stored = begun(chats), storing.store

    def dies_in_the_third(*given):
        if given[1] == 3:
            raise SystemExit  # Like a killed process.
        return stored(*given)

    monkeypatch.setattr(storing, "store", dies_in_the_third)
    with pytest.raises(SystemExit):
        go_on(job)
    assert Conversation.objects.count() == 3
    monkeypatch.setattr(storing, "store", stored)
    assert lifecycle.claim(job.pk, "elsewhere") is None  # Another process may be alive.
    lifecycle.take_over()
    assert lifecycle.unclaimed("elsewhere") == [job.pk]

    assert go_on(job).state == ImportState.DONE
    assert sorted(Conversation.objects.values_list("title", flat=True)) == list("012345")
    assert lifecycle.sums_of(job) == lifecycle.Sums(stored=6, known=0, skipped=0, messages=6)


def test_nothing_of_a_chat_is_stored_if_one_of_its_messages_cannot_be(settings):
    settings.MAX_MESSAGE_BYTES = 100
    long = chatgpt(node("a", "root", text="Q"), node("b", "a", "assistant", "x" * 101), id="c-2")

    job = imported([BRANCHED, long, chatgpt(id="c-3", title="Empty")])

    assert Conversation.objects.count() == 1
    told = [(e.title, e.skipped[0]["rule"]) for e in job.entries.filter(outcome="skipped")]
    assert told == [("A trip", Why.TOO_LONG), ("Empty", Why.NO_MESSAGES)]
    report = report_of(job)
    assert [entry.title for entry in report.entries] == ["A trip", "A trip", "Empty"]
    assert [len(entry.sentences) for entry in report.entries] == [0, 1, 1]
    assert len(report_of(job, after=0).entries) == 2


def test_our_own_fault_in_one_chat_spares_the_others(monkeypatch):
    build = building.build
    monkeypatch.setattr(
        reading, "build", lambda chat, *a, **k: 1 / 0 if chat.title == "b" else build(chat, *a, **k)
    )
    chats = [chatgpt(node("a", "root", text="Q"), id=t, title=t) for t in "abc"]

    job = imported(chats)

    assert job.state == ImportState.DONE
    assert [e.skipped[0]["rule"] for e in job.entries.filter(outcome="skipped")] == [Why.FAULT]
    assert Conversation.objects.count() == 2


def test_a_file_that_ends_too_early_keeps_what_came_before():
    whole = json.dumps([BRANCHED, BRANCHED | {"conversation_id": "2"}]).encode()

    job = imported(whole[:-300])

    assert (job.state, Conversation.objects.count()) == (ImportState.DONE, 1)
    assert [e.skipped[0]["rule"] for e in job.entries.filter(outcome="skipped")] == [Why.NOT_JSON]
    assert imported(b"nothing").fault["rule"] == Why.UNKNOWN_FORMAT


def test_who_stops_it_keeps_what_was_stored():
    job = begun([BRANCHED])
    with pytest.raises(NotFound):
        lifecycle.stop(Actor(visitor="b" * 32), job.pk)

    assert lifecycle.stop(ADA, job.pk).state == ImportState.STOPPED
    assert lifecycle.claim(job.pk, "here") is None
    with pytest.raises(lifecycle.Gone):
        lifecycle.note_skipped(job, 0, building.Skipped(Why.FAULT), 0)
    assert not ImportEntry.objects.exists()


def test_a_process_that_ends_lets_go_of_it():
    stopping = Event()
    stopping.set()
    job = begun([BRANCHED])

    assert go_on(job, stopping).is_unfinished
    assert lifecycle.unclaimed("elsewhere") == [job.pk]


def test_files_are_looked_at_and_what_is_refused_is_said():
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-A1"}
    content = {"content_type": "multimodal_text", "parts": ["What is this?", pointer]}
    beside = {"attachments": [{"id": "file-B2", "name": "../../run.exe"}]}
    chat = chatgpt(node("a", "root", content=content, metadata=beside))
    members = {"conversations.json": [chat], "file-A1.dat": picture(), "file-B2-x": b"MZ\0\1\2"}

    job = imported(zipped(members))

    message = path_of(Conversation.objects.get())[0]
    (part,) = message.parts
    assert (part["kind"], part["type"]) == ("image", "image/png")
    assert message.tokens > part["tokens"] > 0
    attachment = Attachment.objects.get()
    assert attachment.message == message
    assert list(attachment.media.values_list("pk", flat=True)) == [part["digest"]]
    (fact,) = job.entries.get().skipped
    assert (fact["rule"], fact["where"]) == (Why.FILE_REFUSED, "run.exe")


def test_missing_files_are_told_once_with_their_names():
    beside = {"attachments": [{"id": f"file-A{n}", "name": f"{n}.txt"} for n in range(5)]}

    job = imported([chatgpt(node("a", "root", text="See", metadata=beside))])

    (entry,) = report_of(job).entries
    assert entry.sentences == ["A file isn't in what was uploaded: 0.txt, 1.txt, 2.txt, …"]


def test_marks_settings_and_agent_of_our_own_files():
    make_agent("goldfish")
    messages = [
        ImportedMessage("1", None, Role.USER, "Remember this"),
        ImportedMessage("2", "1", Role.ASSISTANT, "I will"),
    ]
    chat = ImportedChat(
        source="x",
        title=" A\n  title ",
        messages=messages,
        agent="goldfish",
        marks={"1": "pin", "2": "nonsense", "3": "pin"},
        settings={"length": 7, "summarize": "maybe", "nothing": 1},
    )
    job = lifecycle.claim(begun([BRANCHED]).pk, "here")
    built = building.build(chat, {}, instructs=False)

    conversation = storing.store(job, 0, built, 0).conversation

    assert (conversation.title, conversation.agent.slug) == ("A title", "goldfish")
    assert conversation.history_settings == {"length": 7}
    assert MessageMark.objects.get().message.text == "Remember this"
    assert [s.figures["name"] for s in built.skipped] == ["summarize", "nothing"]


def test_imported_words_are_found_and_imports_are_adopted():
    ada = User.objects.create_user("ada")
    imported([BRANCHED], actor=Actor(ada))
    waiting = begun([BRANCHED], actor=Actor(visitor="d" * 32), digest="other")
    adopt_visitor(ada, "d" * 32)

    assert len(find(Actor(ada), "capital france")) == 1
    assert lifecycle.access_import(Actor(ada), waiting.pk)


def test_times_are_never_in_the_future():
    imported([chatgpt(node("a", "root", text="Q", create_time=9_000_000_000))])

    assert Conversation.objects.get().active < datetime.now(UTC) + timedelta(minutes=1)


@pytest.mark.parametrize(
    "fields",
    [
        {"calls": (ToolCall("1", "t", json.dumps({"a": "x" * 101})),)},
        {"parts": (Reasoning(ReasoningForm.TEXT, "x" * 101, tokens=1),)},
        {"parts": (Reasoning(ReasoningForm.REDACTED, fields={"data": "x" * 101}),)},
    ],
    ids=["call", "thought", "sealed thought"],
)
def test_everything_that_a_message_says_counts_towards_its_limit(settings, fields):
    settings.MAX_MESSAGE_BYTES = 100
    messages = [ImportedMessage("1", None, Role.ASSISTANT, **fields)]

    with pytest.raises(Unreadable) as caught:
        building.build(ImportedChat("x", "", messages), {}, instructs=False)

    assert caught.value.skipped.why is Why.TOO_LONG


def test_a_files_count_of_tokens_is_not_believed():
    thought = Reasoning(ReasoningForm.TEXT, "many words " * 50, tokens=1)
    messages = [ImportedMessage("1", None, Role.ASSISTANT, parts=(thought,))]

    built = building.build(ImportedChat("x", "", messages), {}, instructs=False)

    (part,) = built.lines[0].messages[0].new.parts
    assert part.tokens > 50


def test_what_is_read_after_signing_in_belongs_to_the_account(monkeypatch):
    ada, stored = User.objects.create_user("ada"), storing.store
    chats = [chatgpt(node("a", "root", text="Q"), id=str(n), title=str(n)) for n in range(3)]

    def signs_in_after_the_first(*given):
        entry = stored(*given)
        if given[1] == 0:
            adopt_visitor(ada, ADA.visitor)
            Conversation.objects.update(owner=ada, visitor="")
        return entry

    monkeypatch.setattr(storing, "store", signs_in_after_the_first)

    imported(chats)

    assert Conversation.objects.filter(owner=ada, visitor="").count() == 3


def test_nothing_is_read_on_for_an_account_that_is_deleted(monkeypatch, caplog):
    ada, stored = User.objects.create_user("ada"), storing.store
    chats = [chatgpt(node("a", "root", text="Q"), id=str(n), title=str(n)) for n in range(3)]
    job = begun(chats, actor=Actor(ada))

    def leaves_after_the_first(*given):
        entry = stored(*given)
        delete_everything(Actor(ada))
        return entry

    monkeypatch.setattr(storing, "store", leaves_after_the_first)
    claimed = lifecycle.claim(job.pk, "here")
    assert claimed
    reading.run(claimed, Event())

    assert not Conversation.objects.exists()
    assert not Import.objects.exists()
    assert "was not stored" not in caplog.text


def test_files_of_one_chat_are_in_memory_up_to_a_bound(monkeypatch):
    monkeypatch.setattr(files, "MOST_BYTES", 1_500)
    beside = {"attachments": [{"id": f"file-A{n}", "name": f"{n}.txt"} for n in range(3)]}
    members = {f"file-A{n}": "words " * 100 + str(n) for n in range(3)}
    chats = [chatgpt(node("a", "root", text="See", metadata=beside))]

    job = imported(zipped({"conversations.json": chats, **members}))

    assert Attachment.objects.count() == 2
    (fact,) = job.entries.get().skipped
    assert (fact["rule"], fact["where"], fact["figures"]) == ("too_large", "2.txt", {"most": 1_500})
