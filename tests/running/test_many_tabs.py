"""Many tabs at once get every event once and in order, and all can reconnect at the same time."""

import os
import signal
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from tests.patience import PATIENCE
from tests.people import Person
from tests.provider import Reply
from tests.servers import manage

WORDS = [f"w{n} " for n in range(40)]
TABS = 30
STREAMS = 50
CROWD = 150
AGO = "UPDATE history_generation SET heartbeat_at = '2020-01-01 00:00:00+00:00'"
REAP = "from chatapp.process.lifespan import reap; reap()"


def shown(tab, generation):
    return "".join(e["data"]["text"] for e in tab.events(generation) if e["kind"] == "delta")


def gapless(tab, generation):
    seqs = [event["seq"] for event in tab.events(generation)]
    return seqs == list(range(1, len(seqs) + 1))


def all_at_once(ask, these):
    with ThreadPoolExecutor(len(these)) as threads:
        return list(threads.map(ask, these))


def test_thirty_tabs_of_one_chat_see_each_event_once(ada, provider):
    with ada.tab() as first, ExitStack() as opened:
        ack, _ = first.ask("Hello", agent="demo")
        tabs = [opened.enter_context(ada.tab(ack["conversation"])) for _ in range(TABS - 1)]
        for tab in tabs:
            tab.say(type="ping")
            tab.until("pong")
        provider.script(Reply(text=WORDS, delay=0.02))
        generation = first.send("Tell me", conversation=ack["conversation"])["generation"]
        ends = [tab.until("end", generation=generation) for tab in [first, *tabs]]

        assert len({end["seq"] for end in ends}) == 1
        assert all(gapless(tab, generation) for tab in [first, *tabs])
        assert {shown(tab, generation) for tab in [first, *tabs]} == {"".join(WORDS)}
    assert len(provider.requests) == 2


def test_fifty_people_stream_at_once_and_pages_stay_quick(served, ada, provider):
    provider.script(*[Reply(text=WORDS, delay=0.05)] * STREAMS)
    people = [Person(served) for _ in range(STREAMS)]
    times = []

    def ask(person):
        with person.tab() as tab:
            ack, end = tab.ask("Tell me", agent="demo")
            generation = ack["generation"]
            return end["status"], shown(tab, generation), gapless(tab, generation)

    with ThreadPoolExecutor(STREAMS) as threads:
        asked = [threads.submit(ask, person) for person in people]
        provider.asked.wait(PATIENCE)
        while not all(one.done() for one in asked):
            began = time.monotonic()
            assert ada.open("/chats").status_code == 200
            times.append(time.monotonic() - began)
        told = {one.result() for one in asked}

    assert told == {("done", "".join(WORDS), True)}
    assert sorted(times)[len(times) // 2] < 5  # Seconds: the tests load the machine, too.


def test_all_who_were_cut_off_by_a_kill_catch_up(fragile, provider):
    """All tabs reconnect at once, which is the worst case, since pages spread their attempts."""
    provider.script(Reply(text=WORDS, hang_after=len(WORDS)))
    ada = Person(fragile)
    with ada.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        while "w39" not in shown(tab, ack["generation"]):
            tab.next()
        fragile.wait_for_log("w39")
        fragile.kill()
    fragile.start()

    def come_back(_):
        with ada.tab() as tab:
            named = {"conversation": ack["conversation"], "generation": ack["generation"]}
            tab.say(type="subscribe", after_seq=3, **named)
            tab.say(type="ping")
            tab.until("pong")
            return [frame["type"] for frame in tab.seen]

    assert all_at_once(come_back, range(CROWD)) == [["reload", "pong"]] * CROWD
    assert "Traceback" not in fragile.log.read_text()
    with ada.tab() as tab:
        assert tab.ask("And now?", conversation=ack["conversation"])[1]["status"] == "done"


def test_a_process_that_slept_past_its_lease_writes_no_more(fragile, provider):
    """A process suspended in mid-answer is given up; after waking, it can store nothing more."""
    provider.script(Reply(text=WORDS, delay=0.05))
    ada = Person(fragile)
    with ada.tab() as tab:
        tab.send("Tell me", agent="demo")
        fragile.wait_for_log("w3 ")
        try:
            put_to_sleep(fragile)
            manage(fragile.folder, "shell", "-v", "0", "-c", REAP, **provider.environment)
            before = said(fragile)
        finally:
            os.kill(fragile.process.pid, signal.SIGCONT)
        tab.until("reload")

    assert fragile.statuses() == ["interrupted"]
    assert said(fragile) == before
    assert before[-1][0] == "assistant"
    assert "".join(WORDS).startswith(before[-1][1])
    assert ada.open("/chats").status_code == 200


def put_to_sleep(server):
    """Suspend the process and date its signs of life back; retry while it locks SQLite's file."""
    while True:
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            return server.write(AGO)
        except sqlite3.OperationalError:
            os.kill(server.process.pid, signal.SIGCONT)


def said(server):
    return server.rows("SELECT role, text FROM history_message ORDER BY position")
