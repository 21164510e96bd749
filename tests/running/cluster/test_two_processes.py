"""Two processes serve one Vitrine: it does not matter which of them a tab is connected to."""

import os
import signal
import time
from itertools import cycle

import pytest

from chatapp.process.others import DEAF
from tests import data, redis_server
from tests.patience import eventually, seconds
from tests.people import Person, text_of
from tests.provider import Reply
from tests.running.approvals import ADA, BOB, ask, equip, notes_of
from tests.running.test_stopping import closing
from tests.servers import AppServer, manage

pytestmark = pytest.mark.skipif(not data.server(), reason="several processes need PostgreSQL")
MAKE = """
from django.contrib.auth.models import User
User.objects.create_user("eva", password="correct horse")
"""
WORDS = [f"w{n} " for n in range(40)]


def gapless(tab, generation):
    """Return the numbers of the events that a tab saw of a generation."""
    return [event["seq"] for event in tab.events(generation)]


def shown(tab, generation):
    deltas = (e["data"]["text"] for e in tab.events(generation) if e["kind"] == "delta")
    return "".join(deltas)


def conversation_of(person, tab):
    return tab.ask("Hello", agent="demo")[0]["conversation"]


@pytest.mark.daily
def test_a_tab_at_the_other_process_is_shown_every_event_once_and_in_order(ada, provider):
    here, there = ada
    with here.tab() as tab:
        conversation = conversation_of(here, tab)
        with there.tab(conversation) as other:
            other.say(type="ping")
            other.until("pong")
            provider.script(Reply(text=WORDS, delay=0.01))
            ack = tab.send("Tell me", conversation=conversation)
            end = other.until("end", generation=ack["generation"])
            mine = tab.until("end", generation=ack["generation"])

    generation = ack["generation"]
    assert gapless(other, generation) == list(range(1, end["seq"] + 1))
    assert gapless(tab, generation) == gapless(other, generation)
    assert shown(other, generation) == "".join(WORDS)
    assert end["data"] == mine["data"]


def test_a_tab_that_comes_in_the_middle_is_shown_the_whole_answer(ada, provider):
    here, there = ada
    provider.script(Reply(text=WORDS, delay=0.03))
    with here.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        tab.until("delta")
        with there.tab(ack["conversation"]) as other:
            end = other.until("end", generation=ack["generation"])

    assert gapless(other, ack["generation"]) == list(range(1, end["seq"] + 1))
    assert shown(other, ack["generation"]) == "".join(WORDS)


def test_stop_from_the_other_process_ends_it_at_once_and_keeps_its_text(ada, processes, provider):
    here, there = ada
    provider.script(Reply(text=WORDS, hang_after=len(WORDS)))
    with here.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        with there.tab(ack["conversation"]) as other:
            while "w39" not in shown(other, ack["generation"]):
                other.until("delta")
            began = time.monotonic()
            named = {"conversation": ack["conversation"], "generation": ack["generation"]}
            other.say(type="stop", **named)
            ends = [side.until("end")["data"]["status"] for side in (other, tab)]
            took = time.monotonic() - began

    assert ends == ["stopped", "stopped"]
    assert took < seconds(2)
    said = "SELECT text FROM history_message WHERE role = 'assistant'"
    assert processes[0].rows(said) == [("".join(WORDS),)]


def test_calls_are_decided_at_both_processes_and_the_answer_goes_on(ada, processes, provider):
    here, there = ada
    equip(processes[0])
    with here.tab() as tab:
        asked = ask(processes[0], here, provider, ADA, BOB, tab=tab)
        with there.tab(asked.conversation) as other:
            other.say(type="ping")
            other.until("pong")
            provider.script(Reply(text=["Both ", "sent."]))
            answers = [asked.decide("a", by=here), asked.decide("b", by=there)]
            ends = [side.until("end") for side in (tab, other)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert [end["data"]["status"] for end in ends] == ["done", "done"]
    assert "Both sent." in text_of(ends[0]["data"]["html"])
    assert gapless(tab, asked.generation) == list(range(1, ends[0]["seq"] + 1))
    assert sorted(notes_of(processes[0])) == ["Ada", "Bob"]


def test_a_chat_that_is_deleted_at_one_process_is_gone_at_the_other(ada, provider):
    here, there = ada
    provider.script(Reply(text=["half ", "of it"], hang_after=2))
    with here.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        tab.until("delta")
        with there.tab() as list_of_chats, there.tab(ack["conversation"]) as other:
            other.until("delta")
            answer = there.api("DELETE", f"/conversations/{ack['conversation']}")
            gone = [side.until("gone") for side in (tab, other)]
            list_of_chats.until("list")

    assert answer.status_code in {200, 204}, answer.text
    assert {frame["conversation"] for frame in gone} == {ack["conversation"]}


def test_a_process_that_is_killed_leaves_its_answer_interrupted_and_tabs_are_told(
    ada, processes, provider
):
    here, there = ada
    first, second = processes
    provider.script(Reply(text=WORDS, hang_after=len(WORDS)))
    with here.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        with there.tab(ack["conversation"]) as other:
            while "w39" not in shown(other, ack["generation"]):
                other.until("delta")
            second.wait_for_log("w39")
            first.kill()
            other.until("reload")

    assert second.statuses() == ["interrupted"]
    said = "SELECT text FROM history_message WHERE role = 'assistant'"
    assert second.rows(said) == [("".join(WORDS),)]


def test_a_process_that_ends_leaves_the_other_one_and_its_answer_alone(ada, processes, provider):
    _, there = ada
    first, second = processes
    provider.script(Reply(text=WORDS, delay=0.05))
    with there.tab() as other:
        ack = other.send("Tell me", agent="demo")
        other.until("delta")
        first.terminate()
        end = other.until("end", generation=ack["generation"])

    assert end["data"]["status"] == "done"
    assert "Traceback" not in first.log.read_text() + second.log.read_text()


def test_somebody_who_signs_out_at_one_process_loses_tabs_at_the_other(ada, processes):
    here, there = ada
    manage(processes[0].folder, "shell", "-c", MAKE)
    here.sign_in("eva", "correct horse")
    there.http.cookies.update(here.http.cookies)
    with there.tab() as other:
        other.say(type="ping")
        other.until("pong")
        began = time.monotonic()
        here.post("/logout")
        code = closing(other)

    assert code == 4401
    assert time.monotonic() - began < seconds(5)


@pytest.fixture
def alone(processes, provider, tmp_path):
    """Run a third process, which lacks the Redis of the other two."""
    folder = tmp_path / "alone"
    folder.mkdir()
    (folder / "database_url").write_text((processes[0].folder / "database_url").read_text())
    server = AppServer(folder, provider.environment)
    yield server
    server.close()


def test_a_process_without_redis_is_refused_beside_those_with_it(alone):
    with pytest.raises(AssertionError, match="Several can share a database if REDIS_URL"):
        alone.start()
    assert alone.process.wait() == 1


def test_a_lost_redis_is_told_survived_and_made_up_for(ada, processes, provider, redis):
    here, there = ada
    with here.tab() as tab:
        conversation = conversation_of(here, tab)
        with there.tab(conversation) as other:
            other.say(type="ping")
            other.until("pong")
            redis.stop()
            provider.script(Reply(text=WORDS, delay=0.02))
            ack = tab.send("Tell me", conversation=conversation)
            end = other.until("end", generation=ack["generation"])
            redis.start()
            other.until("reload")
            provider.script(Reply(text=["and ", "back"]))
            again = tab.send("And now?", conversation=conversation)
            other.until("end", generation=again["generation"])

    assert gapless(other, ack["generation"]) == list(range(1, end["seq"] + 1))
    assert shown(other, ack["generation"]) == "".join(WORDS)
    assert shown(other, again["generation"]) == "and back"
    for process in processes:
        for told in ("Redis is lost", "Redis is reached again"):
            assert eventually(lambda told=told, log=process.log: told in log.read_text())
        assert "Traceback" not in process.log.read_text()


def test_a_redis_that_is_silent_holds_up_neither_answers_nor_stops(ada, provider, redis):
    here, there = ada
    provider.script(Reply(text=WORDS, hang_after=len(WORDS)))
    with here.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        tab.until("delta")
        with there.tab(ack["conversation"]) as other, redis.frozen():
            while "w39" not in shown(other, ack["generation"]):
                other.until("delta")
            named = {"conversation": ack["conversation"], "generation": ack["generation"]}
            other.say(type="stop", **named)
            other.until("reload")
            path = f"/conversations/{ack['conversation']}/generations/{ack['generation']}"
            state = there.api("GET", path)

    assert state.json()["status"] == "stopped"


def test_one_that_was_frozen_catches_up(ada, processes, provider):
    here, there = ada
    with here.tab() as tab:
        conversation = conversation_of(here, tab)
        with there.tab(conversation) as other:
            other.say(type="ping")
            other.until("pong")
            os.kill(processes[1].process.pid, signal.SIGSTOP)
            provider.script(Reply(text=WORDS))
            ack, _ = tab.ask("Tell me", conversation=conversation)
            os.kill(processes[1].process.pid, signal.SIGCONT)
            end = other.until("end", generation=ack["generation"])

    assert gapless(other, ack["generation"]) == list(range(1, end["seq"] + 1))


def test_wrong_passwords_and_messages_are_counted_by_all_processes_together(ada, processes):
    here, there = ada
    for _ in range(20):
        refusal = here.post("/login", username="eva", password="wrong")
        if refusal.status_code == 429:
            break

    assert refusal.status_code == 429
    assert there.post("/login", username="eva", password="wrong").status_code == 429


@pytest.fixture
def stranger(processes, provider, tmp_path):
    """Run a third process with a Redis of its own."""
    folder = tmp_path / "other"
    folder.mkdir()
    with redis_server.serving(folder) as other:
        server = AppServer(processes[0].folder, {**provider.environment, "REDIS_URL": other.url})
        server.log = tmp_path / "stranger.log"
        server.start()
        yield server
        server.close()


def test_a_process_with_another_redis_is_told_of_and_still_shown_everything(
    ada, stranger, provider
):
    here, _ = ada
    there = Person(stranger)
    there.http.cookies.update(here.http.cookies)
    with here.tab() as tab:
        conversation = conversation_of(here, tab)
        with there.tab(conversation) as other:
            other.say(type="ping")
            other.until("pong")
            provider.script(Reply(text=WORDS, delay=0.02))
            ack = tab.send("Tell me", conversation=conversation)
            end = other.until("end", generation=ack["generation"])

    assert gapless(other, ack["generation"]) == list(range(1, end["seq"] + 1))
    assert eventually(lambda: DEAF in stranger.log.read_text())


def test_a_tab_that_goes_back_and_forth_is_shown_each_event_once(ada, provider):
    """A live tab has seen events that are not stored yet, so the other process lacks them."""
    provider.script(Reply(text=WORDS, delay=0.05))
    with ada[0].tab() as tab:
        ack = tab.send("Tell me", agent="demo")
    named = {"conversation": ack["conversation"], "generation": ack["generation"]}
    seen = []
    for person in cycle(ada):
        with person.tab() as tab:
            tab.say(type="subscribe", after_seq=len(seen), **named)
            while len(events := tab.events(ack["generation"])) < 4 and not over(events):
                tab.next()
        seen += events
        if over(events):
            break

    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    deltas = (event["data"]["text"] for event in seen if event["kind"] == "delta")
    assert "".join(deltas) == "".join(WORDS)


def over(events):
    return bool(events) and events[-1]["kind"] == "end"
