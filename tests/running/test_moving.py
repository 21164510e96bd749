"""A chat begun on SQLite continues on PostgreSQL, and nothing of it is missing."""

import shutil
import sqlite3

import pytest

from tests import data
from tests.people import Person
from tests.running.test_programs_files import NOTES
from tests.servers import AppServer, manage

pytestmark = pytest.mark.skipif(not data.server(), reason="rows move to PostgreSQL")
ON_SQLITE = {"DATABASE_URL": ""}
# Whether PostgreSQL has statistics of the messages, by which it plans a search.
PLANNED = "SELECT count(*) > 0 FROM pg_stats WHERE tablename = 'history_message'"


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Yield a server's SQLite folder, a person's cookies, and their chat with a file."""
    server = AppServer(data.make(tmp_path_factory.mktemp("begun") / "data"), ON_SQLITE)
    server.start()
    ada = Person(server)
    sent = ada.http.post("/attachments", files={"file": ("berths.txt", NOTES)}, headers=ada.headers)
    with ada.tab() as tab:
        ack, _ = tab.ask("Où? 桜", agent="demo", attachments=[sent.json()["id"]])
    server.terminate()
    yield server.folder, ada.http.cookies, ack["conversation"]
    server.close()


@pytest.fixture
def server(begun, migrated, tmp_path):
    """Copy that folder beside an empty PostgreSQL; the server is not started."""
    folder = data.copy(migrated, tmp_path / "data")
    shutil.copytree(begun[0], folder, dirs_exist_ok=True, ignore=lambda *_: ["database_url"])
    server = AppServer(folder, {})
    yield server
    server.close()


def moved(server):
    return manage(server.folder, "move_to_postgres", "--replace")


def on_sqlite(server):
    return sqlite3.connect(server.folder / "vitrine.sqlite3")


@pytest.mark.daily
def test_people_go_on_with_their_chats_on_postgresql(server, begun):
    _, cookies, conversation = begun
    said = moved(server)
    assert server.rows(PLANNED) == [(True,)]
    server.start()
    ada = Person(server)
    ada.http.cookies.clear()
    ada.http.cookies.update(cookies)
    with ada.tab(conversation) as tab:
        _, end = tab.ask("And when?", conversation=conversation)

    assert end["status"] == "done"
    page = ada.open(f"/chat/{conversation}").text
    assert "Où? 桜" in page
    assert "berths.txt" in page
    assert "found-text" in ada.open("/chats?q=桜").text
    count = on_sqlite(server).execute("SELECT count(*) FROM history_message").fetchone()[0]
    assert f"{count:>10,}  history_message\n" in said
    assert server.rows("SELECT count(*) FROM history_message") == [(count + 2,)]


def refusal(server, *options, **environment):
    with pytest.raises(AssertionError) as refused:
        manage(server.folder, "move_to_postgres", *options, **environment)
    assert "Traceback" not in str(refused.value)
    return str(refused.value)


def test_what_does_not_fit_is_refused(server):
    assert "Set DATABASE_URL" in refusal(server, **ON_SQLITE)
    server.start()
    assert "Another Vitrine is already" in refusal(server)
    server.terminate()
    (server.folder / "vitrine.sqlite3").unlink()
    assert "There is no" in refusal(server)


def test_a_postgresql_with_people_keeps_them(server):
    assert "add --replace" in refusal(server)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        pytest.param(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('history', '9_x', 0)",
            "another Vitrine (history.9_x)",
            id="newer",
        ),
        pytest.param(
            "DELETE FROM django_migrations WHERE app = 'auth' AND name LIKE '0012_%'",
            "is of an older version",
            id="older",
        ),
        pytest.param(
            "UPDATE history_conversation SET title = 'a' || char(0)",
            "Nothing was moved. history_conversation: ",
            id="a text that PostgreSQL has no place for",
        ),
        pytest.param(
            "UPDATE history_conversation SET agent_id = 999",
            "Nothing was moved. ",
            id="a reference to nothing",
        ),
    ],
)
def test_a_database_that_cannot_be_moved_changes_nothing(server, change, sentence):
    with on_sqlite(server) as connection:
        connection.execute(change)

    assert sentence in refusal(server, "--replace")
    assert server.rows("SELECT * FROM history_message") == []
