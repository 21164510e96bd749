"""On a shared machine, only the owner may read the files that Vitrine writes."""

import os

import pytest

from tests import data
from tests.attached import picture
from tests.people import Person
from tests.provider import Call, Reply
from tests.servers import manage

OF_THE_TESTS = {"server.log", "database_url"}
NOTE = Call("send_note", '{"to": "Ada", "text": "Hi"}', id="c1")
PRODUCTION = {
    "DJANGO_ENV": "production",
    "SECRET_KEY": "a-secret-of-the-tests-that-is-long-enough-for-anybody-1234",
    "PUBLIC_URL": "http://127.0.0.1",
    "ALLOWED_HOSTS": "127.0.0.1",
}


def open_to_others(folder):
    paths = [folder, *folder.rglob("*")]
    return [p for p in paths if p.stat().st_mode & 0o077 and p.name not in OF_THE_TESTS]


@pytest.fixture
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_a_tool_that_writes_and_what_older_versions_left(app, provider, usual_umask):
    server = app(**provider.environment)
    provider.script(Reply(calls=[NOTE], finish="tool_calls"), Reply(text=["Done."]))
    ada = Person(server)
    with ada.tab() as tab:
        ack = tab.send("Tell Ada", agent="courier")
        tab.until("waiting")
        path = f"/conversations/{ack['conversation']}/generations/{ack['generation']}/decisions"
        assert ada.api("POST", path, json={"call": "c1", "approved": True}).status_code == 200
        files = {"file": ("map.png", picture())}
        sent = ada.http.post("/attachments", files=files, headers=ada.headers)
        assert sent.status_code == 201
        tab.until("end")
    assert (server.folder / "outbox.jsonl").exists()
    assert list((server.folder / "media").rglob("*.png"))
    server.folder.chmod(0o700)  # The test made this folder.
    assert open_to_others(server.folder) == []

    server.terminate()
    for name in ("outbox.jsonl", "secret_key"):
        (server.folder / name).chmod(0o644)
    server.start()

    assert open_to_others(server.folder) == []
    assert "outbox.jsonl was readable by others on this machine" in server.log.read_text()


@pytest.mark.daily
@pytest.mark.skipif(bool(data.server()), reason="one folder is like another there")
def test_a_folder_that_it_makes(tmp_path, usual_umask):
    folder = tmp_path / "new"
    manage(folder, "check", DATABASE_URL="", DATA_DIR=str(folder))

    assert sorted(path.name for path in folder.iterdir()) == [
        "media",
        "secret_key",
        "static",
        "vitrine.sqlite3",
    ]
    assert open_to_others(folder) == []


def test_the_static_files_of_production(app, usual_umask):
    server = app(**PRODUCTION)

    assert len(list((server.folder / "static").rglob("*.gz"))) > 100
    assert open_to_others(server.folder / "static") == []
