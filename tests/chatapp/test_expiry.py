"""Chats that nobody can restore any more are deleted for good; open tabs are told of deletions."""

import asyncio
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import deleting
from chatapp.live.viewers import Viewer, viewers
from chatapp.process import lifespan, receivers
from history.models import Conversation
from history.services.access import Actor
from history.services.answers.deleting import UNDO_SECONDS
from tests.factories import make_agent, make_conversation
from tests.patience import PATIENCE, eventually

pytestmark = pytest.mark.django_db(transaction=True)
ADA = Actor(visitor="ada")


@pytest.fixture
async def faults(monkeypatch):
    """Collect errors in the event loop's callbacks, which would otherwise only be logged."""
    loop, found = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _loop, told: found.append(told))
    monkeypatch.setattr(receivers, "_loop", loop)
    monkeypatch.setattr(lifespan, "REAP_SECONDS", 0.05)
    yield found
    await close_connections()


def made(count):
    agent = make_agent()
    return [make_conversation(agent, visitor=ADA.visitor).pk for _ in range(count)]


def looking_at(chat):
    viewer = Viewer(ADA)
    viewers.join(viewer)
    viewers.follow(viewer, chat)
    return viewer


async def told(viewer, count):
    """Return the types of the viewer's next frames."""
    return [
        json.loads(await asyncio.wait_for(viewer.next(), PATIENCE))["type"] for _ in range(count)
    ]


def expire():
    late = timezone.now() - timedelta(seconds=UNDO_SECONDS + 1)
    Conversation.objects.update(deleted_at=late)


def wait_until_none_is_left():
    assert eventually(lambda: not Conversation.objects.exists())


async def test_many_chats_expire_without_a_fault_and_nobody_reloads_a_list(faults):
    chats = await in_database(made, deleting.AT_ONCE + 3)
    viewer = looking_at(chats[0])
    await deleting.delete_undoably(ADA, chats)
    assert await told(viewer, 2) == ["gone", "list"]
    await in_database(expire)

    reaper = asyncio.create_task(lifespan._reap_for_ever())
    await in_database(wait_until_none_is_left)
    assert await told(viewer, 1) == ["gone"]
    reaper.cancel()
    viewer.show({"type": "pong"})

    assert await told(viewer, 1) == ["pong"]
    assert faults == []
    viewers.leave(viewer)


async def test_a_chat_that_is_deleted_at_once_is_gone_in_open_tabs_and_lists(faults):
    (chat,) = await in_database(made, 1)
    viewer = looking_at(chat)

    await deleting.delete(ADA, chat)

    assert await told(viewer, 2) == ["gone", "list"]
    assert faults == []
    viewers.leave(viewer)
