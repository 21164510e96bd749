"""Deleting a picture while another person attaches the same one loses no bytes."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.files.storage import default_storage
from django.db import connection

from history.models import Attachment, Media, Stray
from history.services.access import Actor
from history.services.answers.deleting import delete_conversations
from history.services.media.attaching import remove
from history.services.media.reading import picture_of_unsent
from tests.attached import attach_picture, picture, put_picture
from tests.factories import make_agent, make_conversation
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)
ADA, BOB = Actor(visitor="a" * 32), Actor(visitor="b" * 32)
TRIES = 5


def at_once(*acts):
    start = Barrier(len(acts))

    def done(act):
        try:
            start.wait(timeout=PATIENCE)
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(done, acts))


def test_attaching_wins_against_every_kind_of_deleting():
    agent = make_agent()
    for _ in range(TRIES):
        chat = make_conversation(agent)
        put_picture(chat, "map")
        unsent = attach_picture(ADA, "map")

        *_, ours, theirs = at_once(
            lambda pk=chat.pk: delete_conversations([pk]),
            lambda pk=unsent.pk: remove(ADA, pk),
            lambda: attach_picture(ADA, "map"),
            lambda: attach_picture(BOB, "map"),
        )

        for actor, attachment in ((ADA, ours), (BOB, theirs)):
            assert picture_of_unsent(actor, attachment.pk).data == picture(text="map")
        assert Media.objects.count() == len(files()) == 1
        remove(ADA, ours.pk)
        remove(BOB, theirs.pk)
        assert (Media.objects.count(), files(), Attachment.objects.count()) == (0, [], 0)


def test_the_last_two_chats_with_a_picture_are_deleted_at_once():
    agent = make_agent()
    for _ in range(TRIES):
        chats = [make_conversation(agent) for _ in range(3)]
        for chat in chats:
            put_picture(chat, "map")
        delete_conversations([chats[0].pk])
        assert len(files()) == 1

        at_once(*(lambda pk=chat.pk: delete_conversations([pk]) for chat in chats[1:]))

        assert (Media.objects.count(), files(), Stray.objects.count()) == (0, [], 0)


def files():
    folders, _ = default_storage.listdir("")
    return [name for folder in folders for name in default_storage.listdir(folder)[1]]
