"""What `make demo` leaves behind, and what it says of it."""

import re
import shutil

import pytest

from tests.people import Person, text_of
from tests.servers import manage, running

SAID = re.compile(
    r"The conversation: http://127\.0\.0\.1:8123(?P<chat>/chat/\S+\?debug=true)\n"
    r".*sign in as demo at http://127\.0\.0\.1:8123(?P<login>/login\?next=\S+)\n"
    r".*Password: (?P<password>\S+) \("
)


@pytest.fixture(scope="module")
def folder(migrated, tmp_path_factory):
    return shutil.copytree(migrated, tmp_path_factory.mktemp("demo") / "data")


@pytest.fixture(scope="module")
def said(folder):
    return SAID.search(manage(folder, "demo_data", "--turns", "3", "--port", "8123"))


def test_one_signs_in_with_what_it_prints_and_finds_the_conversation(folder, said, tmp_path):
    with running(folder, tmp_path / "copy") as server:
        person = Person(server)
        person.sign_in("demo", said["password"])
        page = person.open(said["chat"])
        login = person.open(said["login"])

    assert page.status_code == 200
    assert "Planning a long journey" in text_of(page.text)
    assert page.text.count('data-status="done"') == 3
    assert login.url.raw_path.decode() == said["chat"]


def test_a_second_time_it_says_where_the_conversation_is(folder, said):
    again = manage(folder, "demo_data", "--port", "8123")

    assert f"The conversation: http://127.0.0.1:8123{said['chat']}\n" in again
    assert "The password was shown when demo was created; change it" in again
