"""Two servers on one PostgreSQL, after the first one lost its lock without noticing."""

import os
import signal

import psycopg
import pytest

from tests import data
from tests.patience import PATIENCE
from tests.people import Person
from tests.provider import Reply
from tests.servers import AppServer

pytestmark = [
    pytest.mark.daily,
    pytest.mark.skipif(not data.server(), reason="a SQLite file has a lock of its folder"),
]
END_THE_LOCK = """SELECT pg_terminate_backend(pid, 60000) FROM pg_locks
  JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND datname = current_database()"""


@pytest.fixture
def first(app, provider):
    return app(**provider.environment)


@pytest.fixture
def second(first, provider, tmp_path):
    """Prepare a server with a folder of its own, on the first one's database."""
    folder = tmp_path / "second"
    folder.mkdir()
    (folder / "database_url").write_text((first.folder / "database_url").read_text())
    server = AppServer(folder, provider.environment)
    yield server
    server.close()


def test_the_second_is_refused(first, second):
    with pytest.raises(AssertionError, match="Another Vitrine is already using the database"):
        second.start()
    assert second.process.wait() == 1


def test_the_second_server_interrupts_nothing_and_the_first_stops(first, second, provider):
    provider.script(Reply(text=["half ", "an answer"], hang_after=2))
    ada = Person(first)
    with ada.tab() as tab:
        tab.send("Tell me", agent="demo")
        first.wait_for_log("an answer")
        os.kill(first.process.pid, signal.SIGSTOP)
        with psycopg.connect(data.variables(first.folder)["DATABASE_URL"]) as connection:
            assert len(connection.execute(END_THE_LOCK).fetchall()) == 1

        second.start()
        running = first.statuses()
        os.kill(first.process.pid, signal.SIGCONT)
        code = first.process.wait(PATIENCE)

    assert (running, first.statuses()) == (["running"], ["interrupted"])
    said = first.rows("SELECT text FROM history_message WHERE role = 'assistant'")
    assert said == [("half an answer",)]
    assert code == 1
    assert "another Vitrine has taken over the database" in first.log.read_text()
    assert "Traceback" not in first.log.read_text()
    assert "what it runs is left alone" in second.log.read_text()
    assert Person(second).open("/chat").status_code == 200
