"""`make demo` makes two conversations, and prints their addresses and a password."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from tests.people import Person, text_of
from tests.servers import manage, running

pytestmark = pytest.mark.whole

SAID = re.compile(
    r"The conversation: http://127\.0\.0\.1:8123(?P<chat>/chat/\S+\?debug=true)\n"
    r".*One with advice: http://127\.0\.0\.1:8123(?P<advised>/chat/\S+)\?debug=true\n"
    r".*sign in as demo at http://127\.0\.0\.1:8123(?P<login>/login\?next=\S+)\n"
    r".*Password: (?P<password>\S+) \("
)

TURNS = 6  # The number of the demo's questions.


class Elements(HTMLParser):
    """Counts elements as a document does, so without the contents of `template` elements."""

    def __init__(self):
        super().__init__()
        self.templates, self.count = 0, 0

    def handle_starttag(self, tag, attrs):
        self.count += not self.templates
        self.templates += tag == "template"

    def handle_endtag(self, tag):
        self.templates -= tag == "template"


def count_elements(html):
    reader = Elements()
    reader.feed(html)
    return reader.count


@pytest.fixture(scope="module")
def folder(migrated, tmp_path_factory):
    return shutil.copytree(migrated, tmp_path_factory.mktemp("demo") / "data")


@pytest.fixture(scope="module")
def said(folder):
    return SAID.search(manage(folder, "demo_data", "--turns", str(TURNS), "--port", "8123"))


def test_one_signs_in_with_what_it_prints_and_finds_the_conversation(folder, said, tmp_path):
    with running(folder, tmp_path / "copy") as server:
        person = Person(server)
        person.sign_in("demo", said["password"])
        page = person.open(said["chat"])
        login = person.open(said["login"])
        advised = text_of(person.open(f"{said['advised']}/panel").text)

    assert page.status_code == 200
    assert "Planning a long journey" in text_of(page.text)
    assert page.text.count('data-status="done"') == TURNS
    assert "would have cost $" in advised
    assert "Apply to this chat" in advised
    assert login.url.raw_path.decode() == said["chat"]
    start, end = (page.text.index(each) for each in ('id="transcript"', 'class="composer-area"'))
    turns = count_elements(page.text[start:end])
    others = count_elements(page.text) - turns
    assert 300 / TURNS * turns + others < 12_000


def test_a_second_time_it_says_where_the_conversation_is(folder, said):
    again = manage(folder, "demo_data", "--port", "8123")

    assert f"The conversation: http://127.0.0.1:8123{said['chat']}\n" in again
    assert "The password was shown when demo was created; change it" in again


def test_make_passes_the_port_on_and_the_command_says_how(folder):
    made = subprocess.run(
        ["make", "--dry-run", "demo", "PORT=8311"], capture_output=True, text=True, check=True
    )

    assert '--port "8311"' in made.stdout
    assert "make demo PORT=" in manage(folder, "demo_data")
