"""An import skips a chat that is already here, as the original or by an earlier import."""

from threading import Barrier, Thread

import pytest
from django.contrib.auth.models import User
from django.db import connections

from history.models import Conversation, ImportEntry, Message
from history.services.access import Actor
from history.services.answers.deleting import hide_deleted
from history.services.exports.exporting import exported
from history.services.exports.form import as_json
from history.services.exports.reader import ExportReader
from history.services.imports import lifecycle, storing
from history.services.imports.building import build
from history.services.imports.twins import already_here
from history.services.texts import LONGEST_TITLE
from tests.exported import make_full_chat
from tests.factories import add_turn, make_agent, make_conversation
from tests.history.services.imports.files import chat_in, chatgpt, node
from tests.history.services.imports.test_storing import begun, imported
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db
OUTCOME = ImportEntry.Outcome
CHAT = chatgpt(node("a", "root", text="Hi"))


@pytest.fixture
def ada():
    return User.objects.create_user("ada")


def file_of(chat: Conversation) -> bytes:
    return b"".join(exported([chat], as_json(ExportReader())).pieces)


def entry_of(data, owner, **fields):
    return imported(data, actor=Actor(owner), **fields).entries.get()


def test_ones_own_export_is_left_alone_with_a_link_to_the_chat(ada):
    chat = make_full_chat(ada)
    before = Message.objects.count()

    entry = entry_of(file_of(chat), ada)

    assert (entry.outcome, entry.conversation, entry.title) == (OUTCOME.KNOWN, chat, chat.title)
    assert (Conversation.objects.count(), Message.objects.count()) == (1, before)


def test_an_old_export_of_a_chat_that_went_on_is_left_alone(ada):
    chat = make_full_chat(ada)
    data = file_of(chat)
    add_turn(chat, "And then?", "The end.")

    assert entry_of(data, ada).outcome == OUTCOME.KNOWN


def test_a_copy_comes_if_it_is_wanted(ada):
    chat = make_full_chat(ada)

    entry = entry_of(file_of(chat), ada, copies=True)

    assert (entry.outcome, entry.conversation.owner) == (OUTCOME.STORED, ada)
    assert entry.conversation != chat


def test_titles_tell_copies_from_the_chat_and_from_each_other(ada):
    chat = make_full_chat(ada)
    chat.title = "T" * LONGEST_TITLE
    data = file_of(chat)

    titles = [entry_of(data, ada, copies=True).title for _ in range(3)]

    marks = ["Copy of ", "Copy 2 of ", "Copy 3 of "]
    assert [title.rstrip("T") for title in titles] == marks
    assert {len(title) for title in titles} == {LONGEST_TITLE}
    other = entry_of(data, User.objects.create_user("bob"), copies=True)
    assert other.title == "T" * LONGEST_TITLE


def test_the_same_chat_comes_for_another_person_or_once_it_is_deleted(ada):
    chat = make_full_chat(ada)
    data = file_of(chat)

    other = entry_of(data, User.objects.create_user("bob"))
    hide_deleted(Actor(ada), [chat.pk])

    assert other.outcome == OUTCOME.STORED
    assert entry_of(data, ada).outcome == OUTCOME.STORED


@pytest.mark.parametrize("said", [b"Whose?", b""])
def test_a_file_that_says_anything_else_is_another_chat(ada, said):
    chat = make_conversation(make_agent(), ada)
    add_turn(chat, "Which berth?")
    data = file_of(chat)
    assert b"Which berth?" in data

    assert entry_of(data.replace(b"Which berth?", said), ada).outcome == OUTCOME.STORED


def test_a_copy_may_be_wanted_of_what_another_program_exported(ada):
    make_agent()
    first = entry_of([CHAT], ada)

    known, copy = entry_of([CHAT], ada), entry_of([CHAT], ada, copies=True)

    assert (known.outcome, known.conversation) == (OUTCOME.KNOWN, first.conversation)
    assert (copy.outcome, copy.conversation.title) == (OUTCOME.STORED, "Copy of A trip")
    assert Conversation.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_imports_at_once_bring_a_chat_once(ada):
    make_agent()
    jobs = [begun([CHAT], actor=Actor(ada), digest=name) for name in ("one", "two")]
    claimed = [lifecycle.claim(job.pk, f"process {n}") for n, job in enumerate(jobs)]
    chat = chat_in([CHAT])
    together = Barrier(2, timeout=PATIENCE)

    def store(job):
        lifecycle.recognised(job, "chatgpt")
        assert already_here(job, chat) is None
        built = build(chat, {}, instructs=False)
        together.wait()
        storing.store(job, 0, built, 100)
        connections.close_all()

    threads = [Thread(target=store, args=[job]) for job in claimed]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    outcomes = ImportEntry.objects.values_list("outcome", flat=True)
    assert sorted(outcomes) == [OUTCOME.KNOWN, OUTCOME.STORED]
    assert Conversation.objects.count() == 1
