"""A server stops properly in the middle of an answer, of an upload, and of opening a socket."""

import time

import pytest
from websockets.exceptions import ConnectionClosed

from tests.patience import PATIENCE, seconds
from tests.people import Person
from tests.provider import Reply
from tests.running.raw_connections import connected, head, rest_of

HALF = "Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\nhalf"


@pytest.fixture
def stopped(app, provider):
    """Stop a busy server; yield its exit code, how long it took, and what each client received."""
    server = app(**provider.environment)
    ada = Person(server)
    provider.script(Reply(text=[f"w{n} " for n in range(30)], hang_after=30))
    upload = head(server, "POST", "/chat", HALF)
    with ada.tab() as tab:
        tab.send("Tell me", agent="demo")
        text = ""
        while "w29 " not in text:
            text += tab.until("delta")["data"]["text"]
        # The upload begins only now, because the server waits for its rest for a limited time.
        with connected(server, upload) as half, ada.tab() as young:
            began = time.monotonic()
            server.process.terminate()
            codes = [closing(tab), closing(young)]
            heard = rest_of(half)
            code = server.process.wait(PATIENCE)
            yield server, code, time.monotonic() - began, codes, heard, text


def closing(tab):
    try:
        while True:
            tab.next()
    except ConnectionClosed as closed:
        return closed.rcvd.code


def test_everybody_is_told_and_nothing_is_lost(stopped):
    server, code, took, codes, heard, text = stopped

    assert code in (0, -15, 143)
    assert took < seconds(15)
    assert codes == [1012, 1012]
    assert heard.startswith(b"HTTP/1.1 503 ")
    assert heard.endswith(b"The server is restarting. Try again in a moment.")
    assert server.rows("SELECT status FROM history_generation") == [("interrupted",)]
    assert server.rows("SELECT text FROM history_message ORDER BY position")[1:] == [(text,)]
    assert "Traceback" not in server.log.read_text()
