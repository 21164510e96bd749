"""Many requests at once are all answered; none waits while it holds a database connection."""

import socket
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from tests.people import Person
from tests.provider import Reply
from tests.running.raw_connections import connected, head
from tests.servers import manage, running

CROWD = 20
PAGES = 30
MOST = 12  # The most open answers of one person.
READERS = 9  # One more than the connections to the database.
LONG = "a word of a long message. " * 160_000  # 4 MB: more than fits unread into a connection.
FREE = {"HISTORY_KEEP_RECENT": "2", "MAX_MESSAGE_BYTES": "10000000"}
MAKE = """
from django.contrib.auth.models import User
User.objects.create_superuser("root", password="correct horse")
"""


@pytest.fixture(scope="module")
def served(migrated, module_provider, tmp_path_factory):
    folder = tmp_path_factory.mktemp("served") / "data"
    limits = {"OPEN_ANSWERS_PER_PERSON": str(MOST), **FREE}
    with running(migrated, folder, **module_provider.environment, **limits) as server:
        manage(folder, "shell", "-c", MAKE)
        yield server


@pytest.fixture
def root(served):
    root = Person(served)
    root.sign_in("root", "correct horse")
    return root


def first(person, text="Hi"):
    sent = {"text": text, "client_msg_id": str(uuid.uuid4()), "agent": "demo"}
    return person.api("POST", "/conversations", json=sent)


def answered(person, text="Hi"):
    conversation = first(person, text).json()["conversation"]
    until_written(person, conversation)
    return conversation


def at_once(ask, *arguments):
    """Ask in parallel threads, one for each argument."""
    with ThreadPoolExecutor(len(arguments)) as threads:
        return list(threads.map(ask, arguments))


def statuses(answers):
    return Counter(answer.status_code for answer in answers)


def until_written(person, conversation):
    path = f"/conversations/{conversation}"
    for _ in range(1_000):
        messages = person.api("GET", f"{path}/messages").json()["messages"]
        if messages[-1]["role"] == "assistant":
            return
        time.sleep(0.02)
    raise AssertionError("it was never answered")


def test_first_messages_of_many_people(served, provider):
    people = [Person(served) for _ in range(CROWD)]

    assert statuses(at_once(first, *people)) == {200: CROWD}


@pytest.mark.parametrize("who", ["ada", "root"])
def test_first_messages_of_one_person(request, who, provider):
    """Visitors and signed-in people may have at most 12 open answers; other requests get 429."""
    person = request.getfixturevalue(who)
    provider.script(*[Reply(text=["at ", "last"], hang_after=0)] * MOST)

    assert statuses(at_once(first, *[person] * CROWD)) == {200: MOST, 429: CROWD - MOST}


def test_pages_of_many_people(served):
    people = [Person(served) for _ in range(PAGES)]

    assert statuses(at_once(lambda person: person.open("/chat"), *people)) == {200: PAGES}


def test_chats_that_are_deleted_on_their_pages(ada):
    chats = [answered(ada) for _ in range(CROWD)]

    answers = at_once(lambda chat: ada.post("/chats/change", act="delete", chat=chat), *chats)

    assert statuses(answers) == {204: CROWD}


def test_summaries_that_are_waited_for(ada, provider):
    with ada.tab() as tab:
        chats = [tab.ask("Hi", agent="demo")[0]["conversation"] for _ in range(MOST)]
        for chat in chats:
            for _ in range(3):
                tab.ask("And then?", conversation=chat)
    provider.script(*[Reply(text=["In short"], hang_after=0)] * MOST)
    asked = len(provider.requests)
    with ThreadPoolExecutor(MOST) as threads:
        path = "/conversations/{}/checkpoints".format
        made = [threads.submit(ada.api, "POST", path(chat)) for chat in chats]
        while len(provider.requests) < asked + MOST and not any(one.done() for one in made):
            time.sleep(0.02)
        page = ada.open("/chat")
        provider.release()

    assert page.status_code == 200
    assert statuses(one.result() for one in made) == {201: MOST}


def test_answers_that_nobody_reads(served, ada):
    chat = answered(ada, LONG)
    asked = head(
        served, path=f"/api/conversations/{chat}/messages", more=f"Cookie: {ada.cookies}\r\n\r\n"
    )
    with ExitStack() as readers:
        for _ in range(READERS):
            reader = readers.enter_context(connected(served, asked))
            assert reader.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"

        assert ada.open("/chat").status_code == 200
