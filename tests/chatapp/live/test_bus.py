"""A process learns from Redis whether others hear it, and a failing Redis raises no error."""

import asyncio
import json
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
import uvloop

from chatapp.live import bus as module
from chatapp.live.bus import EVERYBODY, Bus
from chatapp.live.elsewhere import Elsewhere
from chatapp.live.viewers import event_frame, reload_frame
from history.services.answers.lifecycle import Event
from tests.patience import PATIENCE


def test_a_connection_that_was_closed_in_the_meantime_reaches_nobody(shared):
    async def asked():
        bus = Bus()
        bus.open("us")
        bus.is_connected = True
        connection = await bus._redis.connection_pool.get_connection()
        await bus._redis.connection_pool.release(connection)
        connection._writer.transport.abort()
        told = await bus.ask(EVERYBODY, "stop")
        await bus.close()
        return told

    assert uvloop.run(asked()) == 0


@asynccontextmanager
async def connecting(name, *topics):
    """Run a bus that follows the topics."""
    bus = Bus()
    bus.open(name)
    for topic in topics:
        bus.follow(topic)
    running = asyncio.create_task(bus.run())
    try:
        yield bus
    finally:
        running.cancel()
        await bus.close()


@asynccontextmanager
async def connected(name, *topics):
    """Run a bus that follows the topics; yield it once Redis has confirmed them."""
    async with connecting(name, *topics) as bus:
        await until(lambda: {EVERYBODY, *topics} <= bus._subscribed)
        yield bus


async def until(holds):
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 -- Redis decides, in its own time
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("own", [(), ("a chat",)], ids=["nobody follows", "only we do"])
def test_what_nobody_else_follows_is_known_until_somebody_does(shared, monkeypatch, own):
    monkeypatch.setattr(module, "UNHEARD_SECONDS", 0.2)

    async def play():
        async with connected("us", *own) as bus:
            bus.say("a chat", "1")
            await until(lambda: not bus.is_followed("a chat"))
            async with connected("others", "a chat") as others:
                heard = []
                others.hear = lambda topic, text: heard.append(text)
                await until(lambda: bus.is_followed("a chat"))
                bus.say("a chat", "2")
                await until(lambda: heard)
                await bus.emptied()
                return heard, bus.is_followed("a chat")

    assert uvloop.run(play()) == (["2"], True)


@pytest.mark.parametrize("steps", [1, 3, 6], ids=lambda steps: f"after {steps} steps")
def test_what_is_followed_while_the_bus_connects_is_heard(shared, steps):
    async def play():
        async with connected("us") as bus, connecting("others") as joining:
            for _ in range(steps):
                await asyncio.sleep(0)
            was_connected, heard = joining.is_connected, []
            joining.hear = lambda topic, text: heard.append(text)
            joining.follow("a chat")
            await until(lambda: "a chat" in joining._subscribed)
            bus.say("a chat", "1")
            await until(lambda: heard)
            return was_connected, heard

    assert uvloop.run(play()) == (False, ["1"])


def test_a_redis_that_was_restarted_is_lost_only_once(shared):
    async def play():
        async with connected("us", "a chat") as bus:
            back = []
            bus.returned = lambda: back.append(bus.is_connected)
            await asyncio.gather(*(bus.ask(EVERYBODY, "hello") for _ in range(4)))
            shared.stop()
            shared.start()
            await until(lambda: back)
            for _ in range(4):
                bus.say("a chat", "hello")
                await bus.emptied()
                assert await bus.ask(EVERYBODY, "hello")
            return back

    assert uvloop.run(play()) == [True]


def test_only_pieces_of_a_text_are_spared(monkeypatch):
    said = []
    bus = Bus()
    monkeypatch.setattr(bus, "is_followed", lambda topic: False)
    monkeypatch.setattr(
        bus, "say", lambda topic, text: said.append(json.loads(text.split(" ", 2)[2]))
    )
    monkeypatch.setattr("chatapp.live.elsewhere.bus", bus)
    conversation, generation = uuid4(), uuid4()
    kinds = ("started", "thinking", "delta", "call", "end")

    for event in (Event(seq, kind, {}) for seq, kind in enumerate(kinds, 1)):
        Elsewhere().say(conversation, event_frame(conversation, generation, event))
    Elsewhere().say(conversation, reload_frame(conversation))

    assert [frame.get("kind", frame["type"]) for frame in said] == [
        "started",
        "call",
        "end",
        "reload",
    ]
