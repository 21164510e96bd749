"""After PostgreSQL restarts, all connections are lost, but nobody notices."""

import psycopg
import pytest

from tests import data
from tests.people import Person
from tests.provider import Reply

pytestmark = pytest.mark.skipif(not data.server(), reason="SQLite has no connections to lose")
END_ALL = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s"


def cut_off(server):
    """End the app's database connections, as a restart does; return their number."""
    name = data.variables(server.folder)["DATABASE_URL"].rpartition("/")[2]
    with psycopg.connect(data.server()) as connection:
        return len(connection.execute(END_ALL, [name]).fetchall())


@pytest.mark.daily
def test_pages_and_answers_go_on_after_it(served, ada, provider):
    provider.script(Reply(text=["one"]), Reply(text=["two"]))
    with ada.tab() as tab:
        ack, _ = tab.ask("First", agent="demo")
        assert cut_off(served) > 0

        assert ada.open(f"/chat/{ack['conversation']}").status_code == 200
        assert cut_off(served) > 0
        _, end = tab.ask("Second", conversation=ack["conversation"])

    assert end["status"] == "done"
    assert Person(served).open("/healthz").json() == {"status": "ok"}
