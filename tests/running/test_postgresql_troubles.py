"""While PostgreSQL is in trouble, requests are answered in time; afterwards everything recovers."""

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import psycopg
import pytest

from tests import data, postgres
from tests.patience import PATIENCE, seconds
from tests.people import Person
from tests.running.refusing_database import held
from tests.servers import AppServer

pytestmark = pytest.mark.skipif(not data.server(), reason="SQLite is no server")
BOUND = 5 + seconds(7)  # The most seconds for an answer; up to 5 are spent on getting a connection.
END_OTHERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND NOT pid = ANY(%s)"""


@pytest.fixture(scope="module")
def cluster():
    with postgres.made("max_connections=24") as made:
        yield made


@pytest.fixture(scope="module")
def started(cluster):
    """Start PostgreSQL; yield the context that tests close to stop it."""
    with ExitStack() as server:
        server.enter_context(cluster.started())
        yield server


@pytest.fixture(scope="module")
def dependent(cluster, started, tmp_path_factory):
    """Run the app on that PostgreSQL."""
    folder = tmp_path_factory.mktemp("dependent")
    (folder / "database_url").write_text(cluster.url)
    server = AppServer(folder, {"STATEMENT_SECONDS": "2"})
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def bob(dependent):
    return Person(dependent)


def timed(ask, *arguments, **options):
    began = time.monotonic()
    answer = ask(*arguments, **options)
    return answer, time.monotonic() - began


def refused(person, path="/chats"):
    """Check that a page soon gets 503, while the process still reports that it is alive."""
    answer, waited = timed(person.open, path)
    alive, at_once = timed(httpx.get, f"{person.server.url}/healthz")
    assert (answer.status_code, alive.status_code) == (503, 200)
    assert (waited < BOUND, at_once < 4) == (True, True)


def recovers(person):
    """Check that pages work again without help."""
    deadline = time.monotonic() + PATIENCE
    while (status := person.open("/chats").status_code) != 200:
        assert (status, time.monotonic() < deadline) == (503, True)
        time.sleep(0.2)


def use_up(url, others):
    """Take all of PostgreSQL's connections, and end those of all others."""
    held = [others.enter_context(psycopg.connect(url, autocommit=True))]
    alone = 0
    while alone < 3:  # Ended connections may keep their places for a moment.
        pids = [each.info.backend_pid for each in held]
        ended = held[0].execute(END_OTHERS, [pids]).fetchall()
        try:
            held.append(others.enter_context(psycopg.connect(url)))
        except psycopg.OperationalError:
            alone = 0 if ended else alone + 1
            time.sleep(0.1)


def threads(server):
    return len(list(Path(f"/proc/{server.process.pid}/task").iterdir()))


def test_a_locked_table_leaves_the_rest_alone(served, ada):
    with ada.tab() as tab, ThreadPoolExecutor(12) as others:
        ack, _ = tab.ask("Hello", agent="demo")
        with held(served, "history_message"):
            page = f"/chat/{ack['conversation']}"
            stuck = [others.submit(timed, ada.open, page) for _ in range(12)]
            time.sleep(1)
            alive, at_once = timed(httpx.get, f"{served.url}/healthz")
            tab.say(type="ping")
            _, soon = timed(tab.until, "pong")
            elsewhere = ada.open("/chats")
            answers = [answer.result() for answer in stuck]

    assert (alive.status_code, at_once < 4, soon < 4) == (200, True, True)
    assert elsewhere.status_code == 200
    assert {answer.status_code for answer, _ in answers} == {503}
    assert max(waited for _, waited in answers) < BOUND


def test_a_pool_that_is_used_up_is_waited_for_no_longer_than_it_says(served, ada):
    with ada.tab() as tab, ThreadPoolExecutor(30) as others:
        ack, _ = tab.ask("Hello", agent="demo")
        with held(served, "history_message"):
            page = f"/chat/{ack['conversation']}"
            stuck = [others.submit(timed, ada.open, page) for _ in range(30)]
            answers = [answer.result() for answer in stuck]

    assert {answer.status_code for answer, _ in answers} == {503}
    assert max(waited for _, waited in answers) < BOUND
    assert ada.open(page).status_code == 200


def test_others_who_use_up_all_connections(cluster, dependent, bob):
    with ExitStack() as others:
        use_up(cluster.url, others)
        refused(bob)

    recovers(bob)


def test_a_frozen_server(cluster, dependent, bob):
    before = threads(dependent)
    with bob.tab() as tab, ThreadPoolExecutor(12) as others:
        with cluster.frozen():
            asked = [others.submit(refused, bob) for _ in range(12)]
            unready, soon = timed(httpx.get, f"{dependent.url}/readyz")
            for answer in asked:
                answer.result()
            tab.say(type="ping")
            tab.until("pong")
            tab.say(type="send", text="a", agent="demo", client_msg_id=str(uuid.uuid4()))
            assert tab.until("error")["code"] == "unavailable"
        recovers(bob)
        _, end = tab.ask("Hello again", agent="demo")

    assert (unready.status_code, soon < 4) == (503, True)
    assert end["status"] == "done"
    assert threads(dependent) <= before + 12


def test_an_answer_outlasts_a_server_that_restarts(cluster, started, dependent, bob):
    with bob.tab() as tab:
        ack = tab.send("A long answer, please", agent="demo")
        tab.until("delta")
        started.close()
        time.sleep(2)
        started.enter_context(cluster.started())
        end = tab.until("end")["data"]
        numbers = [event["seq"] for event in tab.events(ack["generation"])]
        text = "".join(e["data"]["text"] for e in tab.seen if e.get("kind") == "delta")
    texts = dependent.rows("SELECT text FROM history_message WHERE role = 'assistant'")

    assert end["status"] == "done"
    assert numbers == list(range(1, len(numbers) + 1))
    assert text.strip() == texts[-1][0].strip()


def test_a_server_that_is_gone_for_a_while(cluster, started, dependent, bob):
    with bob.tab() as tab:
        started.close()
        refused(bob)
        tab.say(type="send", text="a", agent="demo", client_msg_id=str(uuid.uuid4()))
        assert tab.until("error")["code"] == "unavailable"

        started.enter_context(cluster.started())

        recovers(bob)
        _, end = tab.ask("Hello again", agent="demo")

    assert end["status"] == "done"
