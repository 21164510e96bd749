"""A socket whose client accepts nothing is closed, even if no frame can say so."""

import asyncio
import json

import pytest
from django.contrib.sessions.backends.db import SessionStore

from chatapp.databases.threads import close_connections, in_database
from chatapp.limits.buckets import MemoryBuckets
from chatapp.live.viewers import viewers
from chatapp.socket import consumer, limits
from tests.chatapp.in_process_socket import InProcessSocket
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


def visitor():
    session = SessionStore()
    session["visitor"] = "ada"
    session.create()
    return session


@pytest.fixture
async def line():
    yield InProcessSocket(await in_database(visitor))
    await close_connections()


async def test_a_socket_that_takes_nothing_is_let_go(line, monkeypatch):
    monkeypatch.setattr(consumer, "TAKE_SECONDS", 0.05)
    monkeypatch.setattr(consumer, "CLOSE_SECONDS", 0.05)
    task = line.run()
    assert await line.sent.get() == {"type": "websocket.accept", "subprotocol": None}

    line.free.clear()
    for _ in range(3):
        line.say(type="ping")

    await asyncio.wait_for(task, PATIENCE)
    assert list(viewers) == []
    assert line.sent.empty()


async def test_a_socket_that_ends_is_told_why(line):
    task = line.run()
    await line.sent.get()
    assert await line.shown() == []

    for viewer in viewers:
        viewer.end(4401)

    assert await line.sent.get() == {"type": "websocket.close", "code": 4401}
    await asyncio.wait_for(task, PATIENCE)


async def test_tabs_that_open_too_fast_are_told_so_whoever_they_are(settings, monkeypatch):
    settings.SOCKETS_PER_MINUTE = 2
    monkeypatch.setattr(limits, "_handshakes", MemoryBuckets(clock=lambda: 0.0))
    lines = [InProcessSocket(None) for _ in range(3)]
    for line in lines:
        line.scope["client"] = ("10.9.8.7", 1)
        await line.run()
    seen = [[line.sent.get_nowait() for _ in range(line.sent.qsize())] for line in lines]
    await close_connections()

    codes = [frames[-1]["code"] for frames in seen]
    assert codes == [4401, 4401, 4429]
    told = json.loads(seen[2][1]["text"])
    assert (told["code"], told["seconds"]) == ("too_many_tabs", 30)
    assert told["message"].startswith(
        "Your IP address has reached the limit of 2 new tabs per minute."
    )
