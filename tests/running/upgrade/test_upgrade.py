"""The oldest database there is, with a chat of 100,000 messages, serves this version.

`oldest.sql` was made by the first version, by chatting; its people's passwords are not in it.
"""

import sqlite3
from pathlib import Path
from uuid import UUID

import pytest

from tests import data
from tests.people import Person
from tests.servers import AppServer, manage

pytestmark = pytest.mark.skipif(bool(data.server()), reason="the first version had only SQLite")
HERE = Path(__file__).parent
LONG = "00000000-0000-0000-0000-000000000001"
SHORT = "SELECT id FROM history_conversation WHERE title LIKE 'What is a projection?%'"
MESSAGES = "SELECT id, position, turn, role, text, tokens FROM history_message ORDER BY id"
SIGNS_IN = """from django.contrib.auth.models import User
admin = User.objects.get()
admin.set_password("correct horse")
admin.save()"""


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    folder = tmp_path_factory.mktemp("upgrade")
    with sqlite3.connect(folder / "vitrine.sqlite3") as old:
        for name in ("oldest.sql", "long_chat.sql"):
            old.executescript((HERE / name).read_text())
        return folder, old.execute(MESSAGES).fetchall()


@pytest.fixture(scope="module")
def server(before):
    server = AppServer(before[0], {})
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def admin(server):
    manage(server.folder, "shell", "-c", SIGNS_IN)
    person = Person(server)
    person.sign_in("admin", "correct horse")
    return person


def test_every_message_is_as_it_was(server, before):
    assert len(before[1]) == 100_006
    assert server.rows(MESSAGES)[: len(before[1])] == before[1]


def test_an_old_turn_is_shown_and_explained(server, admin):
    ((conversation,),) = server.rows(SHORT)
    chat = f"/chat/{UUID(conversation)}"
    page, inspector = admin.open(chat).text, admin.open(f"{chat}/debug/turn/2")

    assert "What is a projection? 桜" in page
    assert "I am the offline demo model" in page
    assert inspector.status_code == 200
    assert "tokens match turn 1" in inspector.text


def test_what_was_said_is_found(admin):
    assert "Berth <mark>99999</mark> at noon" in admin.open("/chats?q=99999").text


@pytest.mark.daily
def test_a_long_chat_goes_on(server, admin):
    with admin.tab(LONG) as tab:
        _, end = tab.ask("And tomorrow?", conversation=LONG)

    assert end["status"] == "done"
    assert server.rows("SELECT position FROM history_message ORDER BY id DESC LIMIT 1") == [
        (100_001,)
    ]
