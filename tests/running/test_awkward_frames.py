"""The socket answers every frame, however malformed, stays open, and has no internal errors."""

import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.people import Person
from tests.running.awkward_frames import COMMANDS, frames
from tests.servers import running

ENDLESS = {
    "SENDS_PER_MINUTE": "0",
    "SENDS_PER_MINUTE_PER_ADDRESS": "0",
    "OPEN_ANSWERS_PER_PERSON": "0",
    "FRAMES_PER_SECOND": "100000",
}
NOBODYS = str(uuid.UUID(int=0))
FAULTS = ("Traceback", "ERROR", "A socket's command failed")


@pytest.fixture(scope="module")
def server(migrated, tmp_path_factory):
    """Run a server whose demo model gives endless answers."""
    folder = tmp_path_factory.mktemp("awkward") / "data"
    with running(migrated, folder, **ENDLESS) as server:
        yield server


@pytest.fixture(scope="module")
def bob(server):
    return Chat(Person(server))


@pytest.fixture(scope="module")
def ada(server):
    return Chat(Person(server))


class Chat:
    """A person whose chat has one answered message."""

    def __init__(self, person):
        self.person = person
        with person.tab() as tab:
            ack, _ = tab.ask("Hello", agent="demo")
        self.id, self.generation = ack["conversation"], ack["generation"]
        at = f"/conversations/{self.id}/messages"
        self.message = next(m["id"] for m in person.api("GET", at).json()["messages"])

    @property
    def right(self):
        """Return valid values for a command's fields, by name."""
        ids = {"conversation": self.id, "generation": self.generation, "message": self.message}
        return {**ids, "text": "Hello", "turn": 1}


def answered(tab):
    """Return the codes of the errors that arrive before the next pong."""
    tab.say(type="ping")
    seen = len(tab.seen)
    tab.until("pong")
    return [frame["code"] for frame in tab.seen[seen:] if frame["type"] == "error"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command(server, ada, bob, command):
    known = (NOBODYS, bob.id, bob.generation, ada.id, ada.generation)
    said = len(server.log.read_text())

    with ada.person.tab() as tab:

        @settings(max_examples=60, print_blob=True)
        @given(frame=frames(ada.right, known, command))
        def every_frame_is_answered(frame):
            tab.socket.send(frame)
            codes = answered(tab)
            assert {"internal", "unavailable"}.isdisjoint(codes), frame

        every_frame_is_answered()
        shown = {frame["conversation"] for frame in tab.seen if frame.get("conversation")}

    assert bob.id not in shown
    assert [fault for fault in FAULTS if fault in server.log.read_text()[said:]] == []


def test_what_is_no_command(ada):
    with ada.person.tab() as tab:

        @settings(max_examples=100, print_blob=True)
        @given(frame=st.text(max_size=60) | st.binary(max_size=60))
        def it_is_refused(frame):
            tab.socket.send(frame)
            assert answered(tab) == ["invalid"], frame

        it_is_refused()
