"""Owners pin, archive, delete and restore their own chats, several at once, and no others."""

from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from chatapp.generation.deleting import delete_expired
from history.models import Conversation, Generation, Message
from history.services.access import access_conversation, listed_conversations
from history.services.answers.chats import shelving
from history.services.answers.chats.shelving import shelve, shelved
from history.services.answers.delegating import delegate
from history.services.answers.deleting import UNDO_SECONDS, hide_deleted, restore
from history.services.errors import Conflict, NotFound
from history.services.search import find
from tests.factories import begin_turn, make_agent, make_conversation
from tests.history.services.conftest import ADA, BOB, converse

pytestmark = pytest.mark.django_db


@pytest.fixture
def chats(demo):
    return [converse(ADA, text).conversation for text in ("Apples", "Pears", "Plums")]


def ids(chats):
    return [chat.pk for chat in chats]


def titles(**shelf):
    return [chat.title for chat in shelved(listed_conversations(ADA), **shelf)]


def test_what_is_deleted_is_nowhere_and_comes_back(chats):
    apples, pears, plums = chats
    hide_deleted(ADA, ids([apples, pears]))

    assert titles() == ["Plums"]
    assert find(ADA, "Apples") == []
    with pytest.raises(NotFound):
        access_conversation(ADA, apples.pk)

    restore(ADA, ids([apples, pears]))

    assert titles() == ["Plums", "Pears", "Apples"]
    assert find(ADA, "Apples")[0].conversation == apples
    assert access_conversation(ADA, plums.pk).deleted_at is None


def test_what_agents_began_in_a_chat_goes_and_comes_with_it(demo):
    make_agent("helper")
    parent = make_conversation(demo, visitor=ADA.visitor)
    child = delegate(begin_turn(parent), "c1", "helper", "Look it up").conversation

    hide_deleted(ADA, [parent.pk])
    with pytest.raises(NotFound):
        access_conversation(ADA, child.pk)
    restore(ADA, [parent.pk])

    assert access_conversation(ADA, child.pk) == child


@pytest.mark.parametrize(
    ("act", "before"),
    [
        pytest.param(hide_deleted, None, id="delete"),
        pytest.param(restore, hide_deleted, id="restore"),
        pytest.param(lambda who, them: shelve(who, them, pinned=True), None, id="pin"),
        pytest.param(lambda who, them: shelve(who, them, archived=True), None, id="archive"),
    ],
)
def test_all_or_nothing_and_only_ones_own(chats, demo, act, before):
    bobs = converse(BOB, "Mine").conversation
    if before:
        before(ADA, ids(chats))
        before(BOB, [bobs.pk])
    stored = list(Conversation.objects.order_by("pk").values())

    for several in ([*ids(chats), bobs.pk], [bobs.pk], []):
        with pytest.raises(NotFound):
            act(ADA, several)

    assert list(Conversation.objects.order_by("pk").values()) == stored


@pytest.mark.django_db(transaction=True)
def test_later_it_is_gone_for_good_and_cannot_be_restored(chats):
    apples, pears, plums = chats
    hide_deleted(ADA, ids([apples, pears]))
    late = timezone.now() - timedelta(seconds=UNDO_SECONDS + 1)
    Conversation.objects.filter(pk=apples.pk).update(deleted_at=late)

    with pytest.raises(Conflict, match="too late"):
        restore(ADA, [apples.pk])
    async_to_sync(delete_expired)()

    assert set(Conversation.objects.all()) == {pears, plums}
    assert set(Message.objects.values_list("conversation", flat=True)) == {pears.pk, plums.pk}
    assert not Generation.objects.filter(conversation=apples.pk).exists()
    restore(ADA, [pears.pk])
    assert titles() == ["Plums", "Pears"]


def test_an_archived_chat_is_pinned_again_when_it_comes_back(chats):
    apples, pears, plums = ids(chats)
    shelve(ADA, [apples, pears], pinned=True)
    shelve(ADA, [pears, plums], archived=True)

    assert (titles(pinned=True), titles(archived=True)) == (["Apples"], ["Plums", "Pears"])

    shelve(ADA, [plums], pinned=True)
    shelve(ADA, [pears], archived=False)
    shelve(ADA, [apples], pinned=False)

    assert (titles(pinned=True), titles(archived=True)) == (["Plums", "Pears"], [])
    assert titles() == ["Plums", "Pears", "Apples"]


def test_so_many_may_be_pinned(chats, monkeypatch):
    monkeypatch.setattr(shelving, "MOST_PINNED", 2)
    with pytest.raises(Conflict, match="at most 2 chats"):
        shelve(ADA, ids(chats), pinned=True)

    assert titles(pinned=True) == []
    shelve(ADA, ids(chats)[:2], pinned=True)
    shelve(ADA, ids(chats)[:2], pinned=True)  # Repeating it is allowed.
