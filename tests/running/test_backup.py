"""A backup taken while people chat is restored on another machine, where the chats continue."""

import io
import tarfile
import threading

import pytest

from chatapp.backup.archive import DATABASE
from tests import data
from tests.people import Person
from tests.provider import Reply
from tests.running.test_moving import PLANNED
from tests.running.test_programs_files import NOTES
from tests.servers import AppServer, manage


@pytest.fixture
def elsewhere(tmp_path, provider):
    """Make another machine's folder, with an empty database."""
    server = AppServer(data.make(tmp_path / "elsewhere"), provider.environment)
    yield server
    server.close()


@pytest.fixture
def chatting(app, provider):
    """Run a server, with a person who has an answered message with a file."""
    server = app(**provider.environment)
    ada = Person(server)
    sent = ada.http.post("/attachments", files={"file": ("berths.txt", NOTES)}, headers=ada.headers)
    with ada.tab() as tab:
        provider.script(Reply(text=["Berth 041."]))
        ack, _ = tab.ask("Which berth?", agent="demo", attachments=[sent.json()["id"]])
    return server, ada, ack["conversation"]


def restored(server, cookies, file, *options):
    manage(server.folder, "restore", str(file), *options, **server.environment)
    server.start()
    person = Person(server)
    person.http.cookies.clear()
    person.http.cookies.update(cookies)
    return person


@pytest.mark.daily
def test_people_go_on_elsewhere_with_their_chats_and_files(chatting, elsewhere, provider, tmp_path):
    server, ada, conversation = chatting
    provider.script(Reply(text=["At ", "noon."], hang_after=1))
    file = tmp_path / "vitrine.tar.gz"
    with ada.tab(conversation) as tab:
        tab.send("And when?", conversation=conversation)
        tab.until("delta")
        said = manage(server.folder, "backup", str(file), **server.environment)
    server.kill()

    there = restored(elsewhere, ada.http.cookies, file)
    provider.script(Reply(text=["Gladly."]))
    with there.tab(conversation) as tab:
        _, end = tab.ask("Thank you", conversation=conversation)

    assert "Attached files in it: 1." in said
    assert file.stat().st_mode & 0o077 == 0
    assert end["status"] == "done"
    page = there.open(f"/chat/{conversation}").text
    assert "Berth 041." in page
    assert "And when?" in page
    assert elsewhere.statuses().count("interrupted") == 1  # The answer that ran during the backup.
    (row,) = elsewhere.rows("SELECT file FROM history_media")
    assert (elsewhere.folder / "media" / row[0]).read_bytes() == NOTES


def test_a_copy_is_whole_whenever_it_is_taken(chatting, elsewhere, provider, tmp_path):
    server, ada, _ = chatting
    provider.script(*[Reply(text=["Yes."])] * 60)
    stop = threading.Event()

    def write():
        with ada.tab() as tab:
            while not stop.is_set():
                tab.ask("Hello", agent="demo")

    writing = threading.Thread(target=write)
    writing.start()
    file = tmp_path / "vitrine.tar.gz"
    manage(server.folder, "backup", str(file), **server.environment)
    stop.set()
    writing.join()
    restored(elsewhere, ada.http.cookies, file)

    lost = "SELECT id FROM history_message WHERE branch_id NOT IN (SELECT id FROM history_branch)"
    assert elsewhere.rows(lost) == []
    if data.server():
        assert elsewhere.rows(PLANNED) == [(True,)]
    else:
        assert elsewhere.rows("PRAGMA integrity_check") == [("ok",)]


@pytest.fixture
def file(chatting, tmp_path):
    server, _, _ = chatting
    manage(server.folder, "backup", str(tmp_path / "b"), **server.environment)
    return tmp_path / "b"


def refusal(server, *arguments):
    with pytest.raises(AssertionError) as refused:
        manage(server.folder, *arguments, **server.environment)
    assert "Traceback" not in str(refused.value)
    return str(refused.value)


def test_nothing_is_lost_by_mistake(chatting, file):
    server, _, _ = chatting
    assert "There is no file missing" in refusal(server, "restore", "missing")
    assert f"{file} exists" in refusal(server, "backup", str(file))
    assert "Another Vitrine is already" in refusal(server, "restore", str(file))
    server.terminate()

    assert "add --replace" in refusal(server, "restore", str(file))
    before = server.rows("SELECT count(*) FROM history_message")
    server.write("UPDATE history_conversation SET title = 'Changed'")
    manage(server.folder, "restore", str(file), "--replace", **server.environment)

    assert server.rows("SELECT count(*) FROM history_message") == before
    assert server.rows("SELECT title FROM history_conversation WHERE title = 'Changed'") == []


def test_a_file_with_a_damaged_database_changes_nothing(chatting, file, tmp_path):
    server, _, _ = chatting
    server.terminate()
    with tarfile.open(file) as whole, tarfile.open(tmp_path / "bad", "w:gz") as bad:
        for member in whole:
            data = whole.extractfile(member).read()
            if member.name == DATABASE:
                data = data[: len(data) // 2] + bytes(len(data) - len(data) // 2)
            bad.addfile(member, io.BytesIO(data))
    before = server.rows("SELECT id, text FROM history_message ORDER BY id")

    assert "cannot be restored" in refusal(server, "restore", str(tmp_path / "bad"), "--replace")
    assert server.rows("SELECT id, text FROM history_message ORDER BY id") == before


@pytest.mark.daily("changed")
@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        pytest.param(lambda whole: whole[: len(whole) // 2], "damaged", id="cut"),
        pytest.param(lambda whole: b"", "damaged", id="empty"),
        pytest.param(lambda whole: b"x" * 1_000, "damaged", id="another file"),
        pytest.param(lambda whole: whole[:-20] + b"y" * 12 + whole[-8:], "damaged", id="changed"),
    ],
)
def test_a_damaged_file_changes_nothing(chatting, file, damage, sentence):
    server, _, _ = chatting
    server.terminate()
    file.write_bytes(damage(file.read_bytes()))
    before = server.rows("SELECT id, text FROM history_message ORDER BY id")

    assert sentence in refusal(server, "restore", str(file), "--replace")
    assert server.rows("SELECT id, text FROM history_message ORDER BY id") == before
