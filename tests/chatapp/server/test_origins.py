"""The log says why a socket was refused, since browsers do not."""

import logging

import pytest
from asgiref.sync import async_to_sync

from chatapp.server import origins
from chatapp.server.origins import OwnOrigin


@pytest.fixture
def now(monkeypatch):
    """Stop the clock; the test moves it."""
    moment = [1_000.0]
    monkeypatch.setattr(origins, "monotonic", lambda: moment[0])
    return moment


@pytest.fixture
def knock(settings):
    """Return a function that makes a handshake from an origin, and says whether a socket opened."""
    settings.PUBLIC_URL = "https://chat.example.org"
    opened = []

    async def sockets(scope, receive, send):
        opened.append(scope)

    async def send(message):
        pass

    door = OwnOrigin(sockets)

    def knocking(origin):
        scope = {"type": "websocket", "headers": [(b"origin", origin), (b"host", b"other")]}
        before = len(opened)
        async_to_sync(door)(scope, None, send)
        return len(opened) > before

    return knocking


def test_a_refusal_says_where_it_came_from_and_what_is_expected(knock, caplog, now):
    caplog.set_level(logging.WARNING)

    assert not knock(b"http://other")

    assert caplog.messages == [
        "A socket was refused: it came from http://other, and PUBLIC_URL is "
        "https://chat.example.org."
    ]


def test_a_refused_origin_is_logged_once_a_minute(knock, caplog, now):
    for seconds in (0, 1, 58, 1):
        now[0] += seconds
        knock(b"http://other")

    assert len(caplog.messages) == 2


def test_our_own_pages_are_let_in_and_nothing_is_said(knock, caplog, now):
    assert knock(b"https://chat.example.org")

    assert caplog.messages == []


@pytest.mark.parametrize(
    ("origin", "shown"),
    [
        (b"", "nowhere"),
        (b"http://x\n\x1b[31mADMIN \xff", r"http://x\n\x1b[31mADMIN \xff"),
        (b"http://" + b"x" * 60_000, "http://" + "x" * 193),
    ],
    ids=["none", "control characters", "a long one"],
)
def test_an_origin_is_escaped_and_cut(knock, caplog, now, origin, shown):
    knock(origin)

    assert caplog.messages[0].startswith(f"A socket was refused: it came from {shown}, and ")
