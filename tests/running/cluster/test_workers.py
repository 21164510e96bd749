"""Two servers take requests and two workers write the answers; any of these may end."""

import signal
import time
from uuid import uuid4

import pytest

from tests import data
from tests.clusters import processes_of_cluster
from tests.patience import PATIENCE, eventually, seconds
from tests.people import Person, text_of
from tests.provider import Reply
from tests.running.approvals import ADA, ask, equip, notes_of
from tests.running.test_memory import has_litellm
from tests.servers import FreshServer, manage

pytestmark = pytest.mark.skipif(not data.server(), reason="several processes need PostgreSQL")
WORDS = [f"w{n} " for n in range(40)]
WHOLE = "".join(WORDS)
SLOW, ENDLESS = Reply(text=WORDS, delay=0.05), Reply(text=WORDS, hang_after=len(WORDS))
SAID = "SELECT text FROM history_message WHERE role = 'assistant' AND conversation_id = ?"
WORKERS = "SELECT id FROM procrastinate_workers"  # Only workers that take jobs.
JOBS = "SELECT status FROM procrastinate_jobs"
IN_ORDER = "SELECT args->>'generation' FROM procrastinate_jobs ORDER BY priority DESC, id"
A_MINUTE = "- INTERVAL '1 minute'"


DEFER = """
from history.models import Generation
from chatapp.process.jobs import defer
ended = Generation.objects.latest("created")
"""


class Cluster:
    """Two servers and two workers, which share a folder, a database and a Redis."""

    def __init__(self, servers, workers):
        self.servers, self.workers = servers, workers

    @property
    def database(self):
        return self.servers[0]

    def writer_of(self, ack):
        """Return the worker that writes the answer."""
        query = "SELECT owner FROM history_generation WHERE id = ?"
        [(owner,)] = self.database.rows(query, ack["generation"])
        [found] = [worker for worker in self.workers if worker.name == owner]
        return found

    def status_of(self, ack):
        query = "SELECT status FROM history_generation WHERE id = ?"
        [(status,)] = self.database.rows(query, ack["generation"])
        return status

    def said_in(self, ack):
        return [text for (text,) in self.database.rows(SAID, ack["conversation"])]

    def logged(self, ack):
        query = "SELECT payload->>'text' FROM history_generationevent WHERE generation_id = ?"
        rows = self.database.rows(f"{query} AND kind = 'delta'", ack["generation"])
        return "".join(text for (text,) in rows)

    def let_pass(self, ack):
        """Date back an answer, and the workers that have jobs, by a minute."""
        beaten = "WHERE id IN (SELECT worker_id FROM procrastinate_jobs)"
        for statement in (
            f"UPDATE history_generation SET created = created {A_MINUTE}, "
            f"heartbeat_at = heartbeat_at {A_MINUTE} WHERE id = '{ack['generation']}'",
            f"UPDATE procrastinate_workers SET last_heartbeat = last_heartbeat {A_MINUTE} {beaten}",
        ):
            self.database.write(statement)

    def manage(self, script):
        return manage(self.database.folder, "shell", "-c", script, **self.workers[0].environment)

    def is_quiet(self):
        return not self.database.is_answering() and not self.database.rows(JOBS)


@pytest.fixture(scope="module")
def cluster(migrated, module_provider, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster") / "data"
    own = {**module_provider.environment, "DRAIN_SECONDS": "30"}
    with processes_of_cluster(migrated, folder, **own) as (servers, workers, _redis):
        yield Cluster(servers, workers)


@pytest.fixture(autouse=True)
def whole(cluster, provider):
    """Start every stopped process before the test; wait for all answers after it."""
    for process in (*cluster.servers, *cluster.workers):
        if process.process is None:
            process.start()
    yield
    provider.release()
    assert eventually(cluster.is_quiet)


@pytest.fixture
def ada(cluster):
    """Return one person twice, with the same session at both servers."""
    here, there = map(Person, cluster.servers)
    there.http.cookies.update(here.http.cookies)
    return here, there


def gapless(tab, generation):
    return [event["seq"] for event in tab.events(generation)]


def shown(tab, generation):
    deltas = (e["data"]["text"] for e in tab.events(generation) if e["kind"] == "delta")
    return "".join(deltas)


def until_all_is_shown(tab, ack):
    while "w39" not in shown(tab, ack["generation"]):
        tab.until("delta")


def test_lists_at_both_servers_show_that_a_chat_is_being_answered(ada, provider):
    here, there = ada
    provider.script(ENDLESS)
    with here.tab() as tab, there.tab() as other:
        ack = tab.send("Tell me", agent="demo")
        other.until("list")
        assert [person.open("/chats").text.count("Being answered") for person in ada] == [1, 1]
        until_all_is_shown(tab, ack)
        provider.release()
        other.until("list")
        assert [person.open("/chats").text.count("Being answered") for person in ada] == [0, 0]
    assert "event" not in {frame["type"] for frame in other.seen}


def test_lists_at_both_servers_lose_the_sign_of_an_answer_that_was_seen_at_one(ada):
    def signs():
        return [person.open("/chats").text.count("New answer") for person in ada]

    here, there = ada
    before = signs()[0]
    with here.tab() as tab, there.tab() as other:
        ack, _end = tab.ask("Hello", agent="demo")
        for _ in ("begun", "ended"):
            other.until("list")
        assert signs() == [before + 1] * 2
        tab.say(type="seen", conversation=ack["conversation"])
        other.until("list")
        assert signs() == [before] * 2


@pytest.mark.daily
def test_tabs_at_both_servers_are_shown_every_event_once_and_in_order(ada, cluster, provider):
    here, there = ada
    with here.tab() as tab:
        begun, _ = tab.ask("Hello", agent="demo")
        with there.tab(begun["conversation"]) as other:
            other.say(type="ping")
            other.until("pong")
            provider.script(Reply(text=WORDS, delay=0.01))
            ack = tab.send("Tell me", conversation=begun["conversation"])
            ends = [side.until("end", generation=ack["generation"]) for side in (tab, other)]

    generation = ack["generation"]
    assert [end["data"]["status"] for end in ends] == ["done", "done"]
    for side, end in zip((tab, other), ends, strict=True):
        assert gapless(side, generation) == list(range(1, end["seq"] + 1))
        assert shown(side, generation) == WHOLE
    assert cluster.writer_of(ack) in cluster.workers


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "stopped"])
def test_a_server_that_ends_cuts_no_answer(ada, cluster, provider, number):
    here, there = ada
    first, _ = cluster.servers
    provider.script(SLOW)
    with here.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        tab.until("delta")
        with there.tab(ack["conversation"]) as other:
            other.until("delta")
            first.process.send_signal(number)
            end = other.until("end", generation=ack["generation"])
    first.process.wait(timeout=PATIENCE)
    first.process = None

    assert end["data"]["status"] == "done"
    assert gapless(other, ack["generation"]) == list(range(1, end["seq"] + 1))
    assert cluster.said_in(ack) == [WHOLE]


def test_a_worker_that_is_told_to_stop_ends_its_answers_and_begins_no_more(ada, cluster, provider):
    here, there = ada
    provider.script(SLOW)
    with here.tab() as tab, there.tab() as other:
        ack = tab.send("Tell me", agent="demo")
        tab.until("delta")
        stopped = cluster.writer_of(ack)
        stopped.tell()
        acks = [other.ask(f"And {n}?", agent="demo") for n in range(5)]
        end = tab.until("end", generation=ack["generation"])
    code = stopped.ended()

    assert end["data"]["status"] == "done"
    assert code == 0
    assert [end["status"] for _, end in acks] == ["done"] * 5
    assert stopped not in [cluster.writer_of(each) for each, _ in acks]
    assert "Traceback" not in stopped.log.read_text()


def test_a_worker_that_is_told_twice_interrupts_what_it_writes(ada, cluster, provider):
    here, _ = ada
    provider.script(ENDLESS)
    with here.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        until_all_is_shown(tab, ack)
        writer = cluster.writer_of(ack)
        before = len(cluster.database.rows(WORKERS))
        writer.tell()
        assert eventually(lambda: len(cluster.database.rows(WORKERS)) < before)
        code = writer.stop()
        end = tab.until("end", generation=ack["generation"])

    assert code == 0
    assert end["data"]["status"] == "interrupted"
    assert cluster.said_in(ack) == [WHOLE]


def test_a_killed_worker_leaves_its_answer_interrupted_and_it_is_continued(ada, cluster, provider):
    here, there = ada
    provider.script(ENDLESS)
    with here.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        until_all_is_shown(tab, ack)
        assert eventually(lambda: "w39 " in cluster.logged(ack))
        cluster.writer_of(ack).stop(signal.SIGKILL)
        began = time.monotonic()
        tab.until("reload")
        took = time.monotonic() - began
    cluster.let_pass(ack)
    status = cluster.status_of(ack)
    provider.script(Reply(text=["and ", "on"]))
    with there.tab(ack["conversation"]) as other:
        named = {"conversation": ack["conversation"], "generation": ack["generation"]}
        other.say(type="continue", **named)
        again = other.until("ack")
        end = other.until("end", generation=again["generation"])

    assert status == "interrupted"
    assert took < seconds(10)
    assert end["data"]["status"] == "done"
    assert cluster.said_in(ack) == [WHOLE, "and on"]
    asked = "SELECT COUNT(*) FROM history_message WHERE role = 'user' AND conversation_id = ?"
    assert cluster.database.rows(asked, ack["conversation"]) == [(1,)]
    assert eventually(lambda: not cluster.database.rows(JOBS))


def test_any_server_stops_it_and_the_providers_connection_closes(ada, cluster, provider):
    here, there = ada
    provider.script(ENDLESS)
    with here.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        until_all_is_shown(tab, ack)
        with there.tab(ack["conversation"]) as other:
            named = {"conversation": ack["conversation"], "generation": ack["generation"]}
            other.say(type="stop", **named)
            ends = [side.until("end")["data"]["status"] for side in (other, tab)]

    assert ends == ["stopped", "stopped"]
    assert cluster.said_in(ack) == [WHOLE]
    assert provider.closed.wait(PATIENCE)


def test_a_call_is_approved_at_any_server_and_the_answer_goes_on(ada, cluster, provider):
    here, there = ada
    equip(cluster.database)
    with here.tab() as tab:
        asked = ask(cluster.database, here, provider, ADA, tab=tab)
        provider.script(Reply(text=["It is ", "sent."]))
        answer = asked.decide("a", by=there)
        end = tab.until("end", generation=asked.generation)

    assert answer.status_code == 200
    assert end["data"]["status"] == "done"
    assert "It is sent." in text_of(end["data"]["html"])
    assert gapless(tab, asked.generation) == list(range(1, end["seq"] + 1))
    assert notes_of(cluster.database) == ["Ada"]


def test_what_is_written_meanwhile_is_sent_when_the_answer_is_done(ada, provider):
    here, there = ada
    provider.script(SLOW, Reply(text=["and ", "then"]))
    with here.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        tab.until("delta")
        with there.tab(ack["conversation"]) as other:
            named = {"conversation": ack["conversation"], "client_msg_id": str(uuid4())}
            other.say(type="follow_up", text="And then?", **named)
            other.until("ack")
        tab.until("end", generation=ack["generation"])
        end = tab.until("end")

    assert end["generation"] != ack["generation"]
    assert "and then" in text_of(end["data"]["html"])


def test_what_is_sent_while_no_worker_runs_is_answered_by_the_next_one(ada, cluster, provider):
    here, _ = ada
    for worker in cluster.workers:
        worker.stop()
    with here.tab() as tab, Person(cluster.servers[1]).tab() as of_bob:
        acks = [tab.send(f"Question {n}", agent="demo") for n in range(2)]
        acks.append(of_bob.send("Mine?", agent="demo"))
        place = of_bob.until("place")
        with here.tab(acks[1]["conversation"]) as late:
            last = late.until("place")
        order = [generation for (generation,) in cluster.database.rows(IN_ORDER)]
        lost = acks[1]["generation"]
        cluster.let_pass(acks[1])
        cluster.database.write("DELETE FROM procrastinate_jobs WHERE args->>'generation' = ?", lost)
        before = {cluster.status_of(ack) for ack in acks}
        cluster.workers[0].start()

    first, second, of_bob_alone = (ack["generation"] for ack in acks)
    assert order == [first, of_bob_alone, second]
    assert (place["ahead"], last["ahead"]) == (1, 2)
    assert before == {"queued"}
    assert eventually(lambda: {cluster.status_of(ack) for ack in acks} == {"done"})
    assert len(provider.requests) == 3


def test_a_job_whose_answer_has_ended_or_is_gone_does_nothing(ada, cluster, provider):
    here, _ = ada
    with here.tab() as tab:
        ack, _ = tab.ask("Hello", agent="demo")
    cluster.manage(
        f"{DEFER}defer(ended)\ndefer(Generation(pk='{uuid4()}', conversation=ended.conversation))\n"
    )

    assert eventually(lambda: not cluster.database.rows(JOBS))
    assert len(provider.requests) == 1
    assert cluster.status_of(ack) == "done"


def test_what_is_not_stored_leaves_no_job(ada, cluster):
    here, _ = ada
    with here.tab() as tab:
        tab.ask("Hello", agent="demo")
    cluster.manage(
        f"{DEFER}from django.db import transaction\n"
        "with transaction.atomic():\n"
        "    defer(ended)\n"
        "    transaction.set_rollback(True)\n"
    )

    assert cluster.database.rows(JOBS) == []


@pytest.fixture
def fresh(cluster):
    """Run a server without the helper process, so that it imports only what it needs."""
    server = FreshServer(cluster.database.folder, cluster.workers[0].environment)
    server.start()
    yield server
    server.close()


def test_a_server_beside_workers_calls_no_models_and_loads_nothing_for_that(fresh):
    with Person(fresh).tab() as tab:
        _, end = tab.ask("Hello", agent="demo")

    assert end["status"] == "done"
    assert not has_litellm(fresh)
