"""The events of all answers are written together. If one answer's events fail, others do not."""

import asyncio
import sqlite3
import uuid
from contextlib import closing

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from chatapp.databases import threads
from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import event_writer
from chatapp.generation.event_writer import EventWriter
from chatapp.live.event_stream import EventStream
from history.models import Generation, GenerationEvent, GenerationStatus
from history.services.access import Actor
from history.services.answers import lifecycle as stored
from history.services.answers.commands import Send
from history.services.answers.lifecycle import Event, Fenced
from history.services.answers.sending import send
from tests import data
from tests.factories import make_agent
from tests.patience import PATIENCE, eventually

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(event_writer, "FLUSH_SECONDS", 0.01)


@pytest.fixture
async def generations():
    await in_database(make_agent)
    return [await in_database(begun, f"visitor {number}") for number in range(3)]


def begun(visitor):
    ack = send(Actor(visitor=visitor), Send(text="Hello", client_msg_id=uuid.uuid4(), agent="demo"))
    stored.claim(ack.generation, "me")
    return ack.generation


class Kept:
    """The event stream of one generation, and the task that stores its events."""

    def __init__(self, writer, generation):
        self.writer, self.generation = writer, generation
        self.failed = asyncio.Event()
        self.stream = EventStream(lambda event: None)
        self.keeper = writer.keep(generation, self.stream, self.failed.set)

    async def written(self):
        assert await in_database(eventually, lambda: not self.stream.unlogged)

    async def kinds(self):
        return await in_database(
            lambda: list(self.generation.events.order_by("seq").values_list("seq", "kind"))
        )


@pytest.fixture
async def kept(generations):
    writer = EventWriter()
    kept = [Kept(writer, generation) for generation in generations]
    yield kept
    for each in kept:
        writer.leave(each.keeper)
        await each.keeper.settled()
    await close_connections()


async def test_each_gets_its_own_events_in_order(kept):
    for number, each in enumerate(kept):
        for _ in range(number + 1):
            each.stream.emit("calls")
    for each in kept:
        await each.written()

    found = [await each.kinds() for each in kept]
    assert found == [[(seq, "calls") for seq in range(1, n + 2)] for n in range(3)]
    rows = await in_database(lambda: dict(Generation.objects.values_list("pk", "seq")))
    assert [rows[each.generation.pk] for each in kept] == [1, 2, 3]


async def test_one_whose_events_cannot_be_stored_fails_alone(kept):
    first, second, third = kept
    await in_database(
        GenerationEvent.objects.create, generation=second.generation, seq=1, kind="x", payload={}
    )
    for each in kept:
        each.stream.emit("calls")
    await asyncio.wait_for(second.failed.wait(), PATIENCE)
    await first.written()
    await third.written()

    assert await first.kinds() == await third.kinds() == [(1, "calls")]
    assert await second.kinds() == [(1, "x")]
    assert "unique" in str(second.keeper.fault).lower()
    assert not first.failed.is_set()
    assert not third.failed.is_set()


async def test_one_that_another_process_ended_is_told_and_writes_nothing(kept):
    first, second, _ = kept
    await in_database(stored.end, second.generation, GenerationStatus.INTERRUPTED)
    for each in kept:
        each.stream.emit("calls")
    await asyncio.wait_for(second.failed.wait(), PATIENCE)
    await first.written()

    assert isinstance(second.keeper.fault, Fenced)
    assert await second.kinds() == []


@pytest.mark.skipif(bool(data.server()), reason="only a SQLite file is locked as a whole")
async def test_while_somebody_else_writes_all_events_wait(kept, monkeypatch, caplog):
    monkeypatch.setattr(event_writer, "in_database", impatiently)
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN IMMEDIATE")
        for each in kept:
            each.stream.emit("calls")
        assert await asyncio.to_thread(eventually, lambda: "not stored yet" in caplog.text)
        for each in kept:
            each.stream.emit("end")
        assert [len(each.stream.unlogged) for each in kept] == [2, 2, 2]
    for each in kept:
        await each.written()

    assert [await each.kinds() for each in kept] == [[(1, "calls"), (2, "end")]] * 3
    assert not any(each.failed.is_set() for each in kept)


def impatiently(function, *args):
    """Run a function that uses the database; if it is locked, fail instead of waiting."""

    def run():
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 0")
        return function(*args)

    return in_database(run)


class Away:
    """A database that refuses everything until it `is_back`."""

    is_back = False

    async def __call__(self, function, *args):
        if not self.is_back:
            raise OperationalError("the connection was refused")
        return await threads.in_database(function, *args)


async def test_while_the_database_is_away_all_events_wait(kept, monkeypatch, caplog):
    database = Away()
    monkeypatch.setattr(event_writer, "in_database", database)
    for each in kept:
        each.stream.emit("calls")
    assert await asyncio.to_thread(eventually, lambda: caplog.text.count("not stored yet") > 1)
    database.is_back = True
    for each in kept:
        await each.written()

    assert [await each.kinds() for each in kept] == [[(1, "calls")]] * 3
    assert not any(each.failed.is_set() for each in kept)


async def test_a_database_that_stays_away_fails_all(kept, monkeypatch):
    monkeypatch.setattr(event_writer, "REFUSED_SECONDS", 0.05)
    monkeypatch.setattr(event_writer, "in_database", Away())
    for each in kept:
        each.stream.emit("calls")
    for each in kept:
        await asyncio.wait_for(each.failed.wait(), PATIENCE)

    assert {str(each.keeper.fault) for each in kept} == {"the connection was refused"}


async def test_a_writer_that_fails_by_itself_begins_again(kept, monkeypatch, caplog):
    first, second, third = kept
    await in_database(
        GenerationEvent.objects.create, generation=second.generation, seq=1, kind="x", payload={}
    )
    with monkeypatch.context() as wrong:
        wrong.setattr(event_writer, "refusal_in", None)  # Calling it raises.
        for each in kept:
            each.stream.emit("calls")
        assert await asyncio.to_thread(eventually, lambda: "begins again" in caplog.text)
    await first.written()
    await third.written()
    await asyncio.wait_for(second.failed.wait(), PATIENCE)

    assert await first.kinds() == await third.kinds() == [(1, "calls")]


async def test_silence_is_told_of_by_a_heartbeat(kept, monkeypatch):
    monkeypatch.setattr(event_writer, "HEARTBEAT_SECONDS", 0.02)
    await in_database(Generation.objects.update, heartbeat_at=None)

    silent = Generation.objects.filter(heartbeat_at=None)
    assert await in_database(eventually, lambda: not silent.exists())


async def test_whoever_leaves_waits_for_what_is_in_hand_and_is_written_no_more(kept, monkeypatch):
    only, *_ = kept
    in_hand, go_on = asyncio.Event(), asyncio.Event()

    async def slow(function, *args):
        in_hand.set()
        await go_on.wait()
        return await threads.in_database(function, *args)

    monkeypatch.setattr(event_writer, "in_database", slow)
    only.stream.emit("calls")
    await in_hand.wait()
    only.stream.emit("end")
    only.writer.leave(only.keeper)
    settled = asyncio.create_task(only.keeper.settled())
    await asyncio.sleep(0)
    assert not settled.done()
    go_on.set()
    await settled

    assert await only.kinds() == [(1, "calls")]
    assert [event.kind for event in only.stream.unlogged] == ["end"]


def test_many_cost_as_many_queries_as_one():
    make_agent()
    generations = [begun(f"visitor {number}") for number in range(20)]

    def queries(some):
        with CaptureQueriesContext(connection) as seen:
            stored.log_batches([(each, [Event(each.seq + 1, "calls", {})]) for each in some])
        return len(seen)

    assert queries(generations[:1]) == queries(generations)
