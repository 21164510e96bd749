"""Processes are replaced one after the other while people chat; no message is lost."""

import threading
from itertools import count, cycle
from uuid import uuid4

import pytest
from websockets.exceptions import WebSocketException

from tests import data
from tests.people import Person
from tests.provider import Reply

pytestmark = pytest.mark.skipif(not data.server(), reason="several processes need PostgreSQL")
FEWEST = 3  # The fewest messages of each person.
REPLY = Reply(text=[f"w{n} " for n in range(20)], delay=0.02)


@pytest.fixture
def variables():
    return {"DRAIN_SECONDS": "30"}


class Chatter(threading.Thread):
    """A person who sends one message after the other, to another process if one is stopping."""

    def __init__(self, name, people, enough):
        super().__init__()
        self.sent = []
        self._name, self._people, self._enough = name, people, enough

    def run(self):
        people = cycle(self._people)
        for number in count():
            if self._enough.is_set() and number >= FEWEST:
                return
            self._send(people, f"{self._name} {number}")

    def _send(self, people, text):
        named = {"agent": "demo", "client_msg_id": str(uuid4())}
        for person in people:
            try:
                with person.tab() as tab:
                    tab.ask(text, **named)
            except (OSError, WebSocketException):
                continue  # This process is stopping; another is tried, as by the page.
            self.sent.append(text)
            return


def test_no_message_is_lost_or_doubled_and_every_answer_ends(processes, provider):
    provider.script(*[REPLY] * 500)
    enough = threading.Event()
    here = [Person(process) for process in processes]
    there = [Person(process) for process in reversed(processes)]
    for people in (here, there):
        people[1].http.cookies.update(people[0].http.cookies)
    chatters = [Chatter("Ada", here, enough), Chatter("Ben", there, enough)]
    for chatter in chatters:
        chatter.start()
    for process in processes:
        process.terminate()
        process.start()
    enough.set()
    for chatter in chatters:
        chatter.join()

    sent = sorted(text for chatter in chatters for text in chatter.sent)
    rows = processes[0].rows("SELECT text FROM history_message WHERE role = 'user'")
    assert sorted(text for (text,) in rows) == sent
    assert processes[0].statuses() == ["done"] * len(sent)
