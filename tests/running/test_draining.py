"""A server that is told to stop finishes its answers first, and reports that it is not ready."""

import signal
import time

import httpx
import pytest

from tests.patience import PATIENCE, seconds
from tests.people import Person
from tests.provider import Reply

WORDS = [f"w{n} " for n in range(60)]


@pytest.fixture
def begun(app, provider):
    """Return a function that starts a server with this DRAIN_SECONDS, and opens a tab."""

    def begin(seconds, reply):
        server = app(**provider.environment, DRAIN_SECONDS=str(seconds))
        provider.script(reply)
        return server, Person(server).tab()

    return begin


def ask(tab):
    tab.send("Tell me", agent="demo")
    tab.until("delta")


@pytest.mark.daily
def test_an_answer_ends_and_nobody_else_is_sent_here(begun):
    server, opened = begun(30, Reply(text=WORDS, delay=0.05))
    with opened as tab:
        ask(tab)
        server.process.terminate()
        time.sleep(0.5)
        ready = httpx.get(f"{server.url}/readyz", timeout=PATIENCE)
        alive = httpx.get(f"{server.url}/healthz", timeout=PATIENCE)
        end = tab.until("end")
        asked = time.monotonic()
        code = server.process.wait(PATIENCE)

    assert ready.status_code == 503
    assert ready.json() == {"status": "unavailable", "code": "draining"}
    assert alive.status_code == 200
    assert end["data"]["status"] == "done"
    assert code in (0, -15, 143)
    assert time.monotonic() - asked < seconds(15)
    assert server.rows("SELECT text FROM history_message ORDER BY id DESC LIMIT 1") == [
        ("".join(WORDS),)
    ]


@pytest.mark.parametrize(
    ("allowed", "signals"),
    [
        pytest.param(1, [signal.SIGTERM], id="once its time has passed"),
        pytest.param(600, [signal.SIGTERM, signal.SIGTERM], id="told again"),
        pytest.param(600, [signal.SIGINT], id="by a person at the terminal"),
        pytest.param(0, [signal.SIGTERM], id="where it does not wait"),
    ],
)
def test_an_answer_without_end_is_interrupted(begun, allowed, signals):
    server, opened = begun(allowed, Reply(text=WORDS, hang_after=len(WORDS)))
    with opened as tab:
        ask(tab)
        began = time.monotonic()
        for number in signals:
            server.process.send_signal(number)
            time.sleep(0.3)
        server.process.wait(PATIENCE)

    assert time.monotonic() - began < seconds(20)
    assert server.statuses() == ["interrupted"]
