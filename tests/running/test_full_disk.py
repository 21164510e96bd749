"""On a full disk or a read-only database, the app says so clearly, and loses nothing."""

import resource
import time
import uuid

import httpx
import psycopg
import pytest

from tests import data
from tests.patience import PATIENCE, eventually
from tests.people import Person
from tests.provider import Reply
from tests.running.refusing_database import url_of

CUT = """SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
  WHERE datname = current_database()"""


def limit(server, size):
    """Limit the size of the server's files in bytes, which acts like a full disk."""
    most = resource.RLIM_INFINITY
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, most))


def read_only(server, *, is_on):
    name = url_of(server).rpartition("/")[2]
    with psycopg.connect(data.server(), autocommit=True) as connection:
        state = "on" if is_on else "off"
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {state}")
    with psycopg.connect(url_of(server), autocommit=True) as connection:
        connection.execute(f"{CUT} AND pid <> pg_backend_pid()")


def full(server):
    if data.server():
        read_only(server, is_on=True)
    else:
        limit(server, 4_096)


def emptied(server):
    if data.server():
        read_only(server, is_on=False)
    else:
        limit(server, resource.RLIM_INFINITY)


def asked(server, path):
    return httpx.get(f"{server.url}/{path}", timeout=PATIENCE)


def says_unavailable(server):
    """Whether the server reports that it is not ready, with the code `unavailable`."""
    answer = asked(server, "readyz")
    return (answer.status_code, answer.json().get("code")) == (503, "unavailable")


def test_what_cannot_be_stored_is_refused_and_all_else_is_kept(app, provider):
    server = app(**provider.environment)
    ada = Person(server)
    provider.script(Reply(text=["Fine."]), Reply(text=["Fine again."]))
    with ada.tab() as tab:
        ack, _ = tab.ask("Hello", agent="demo")
        where = {"conversation": ack["conversation"]}
        before = server.rows("SELECT id, text FROM history_message ORDER BY id")

        full(server)
        tab.say(type="send", text="And now?", client_msg_id=str(uuid.uuid4()), **where)
        refused = tab.until("error")
        api = ada.api(
            "POST",
            f"/conversations/{ack['conversation']}/messages",
            json={"text": "And now?", "client_msg_id": str(uuid.uuid4())},
        )
        assert eventually(lambda: says_unavailable(server))
        alive = asked(server, "healthz")
        emptied(server)

        assert eventually(lambda: asked(server, "readyz").status_code == 200)
        assert server.rows("SELECT id, text FROM history_message ORDER BY id") == before
        _, end = tab.ask("And now?", **where)

    assert (refused["code"], api.status_code) == ("unavailable", 503)
    assert alive.status_code == 200
    assert end["status"] == "done"
    if not data.server():
        assert server.rows("PRAGMA integrity_check") == [("ok",)]


@pytest.mark.skipif(bool(data.server()), reason="a PostgreSQL has a disk of its own")
def test_an_answer_that_meets_a_full_disk_ends_once_there_is_room(app, provider):
    server = app(**provider.environment)
    ada = Person(server)
    provider.script(Reply(text=[f"w{n} " for n in range(30)], delay=0.05))
    with ada.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        tab.until("delta")
        limit(server, 4_096)
        time.sleep(3)
        limit(server, resource.RLIM_INFINITY)

        end = tab.until("end")["data"]

    assert end["status"] in {"done", "failed"}
    active = server.rows("SELECT count(*) FROM history_generation WHERE status = 'running'")
    assert (active, bool(ack)) == ([(0,)], True)
