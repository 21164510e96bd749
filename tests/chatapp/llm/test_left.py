"""A failed request counts as sent, unless it is certain that no connection was made."""

import asyncio
import ssl
from contextlib import asynccontextmanager

import httpx
import pytest
from aiohttp import ClientConnectionError, ClientOSError, ServerDisconnectedError

from chatapp.llm.errors import ErrorKind
from chatapp.llm.retries import Attempts, Deadlines
from chatapp.llm.wire import lacked_connection
from tests.certificates import Authority
from tests.chatapp.llm.answering import answer
from tests.chatapp.llm.families import FAMILIES, environment_of
from tests.provider import LITELLM_WARNS, Reply

pytestmark = [pytest.mark.usefixtures("reached"), *LITELLM_WARNS]
NOBODY = "http://127.0.0.1:1"  # Nobody listens at this port.


def lead_to(url, monkeypatch):
    for name, value in environment_of(url).items():
        monkeypatch.setenv(name, value)


@asynccontextmanager
async def listening(received, tls=None):
    """Run a server that keeps what it receives and answers nothing; yield its port."""

    async def keep(reader, writer):
        received.append(await reader.read(1))
        writer.transport.abort()

    async with await asyncio.start_server(keep, "127.0.0.1", 0, ssl=tls) as server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize("name", sorted(FAMILIES))
@pytest.mark.parametrize(
    "url",
    [
        pytest.param(NOBODY, id="nobody listens"),
        pytest.param("http://nowhere.invalid", id="no such host"),
    ],
)
async def test_without_a_connection_nothing_left(monkeypatch, name, url):
    lead_to(url, monkeypatch)

    chunks, error = await answer(FAMILIES[name])

    assert (chunks, error.kind, error.left) == ([], ErrorKind.UNREACHABLE, False)


@pytest.mark.parametrize("name", sorted(FAMILIES))
async def test_nothing_left_for_a_server_without_a_trusted_certificate(monkeypatch, tmp_path, name):
    tls, received = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), []
    tls.load_cert_chain(Authority(tmp_path).issue("127.0.0.1"))
    async with listening(received, tls) as port:
        lead_to(f"https://127.0.0.1:{port}", monkeypatch)

        _, error = await answer(FAMILIES[name])

    assert (error.kind, error.left) == (ErrorKind.UNREACHABLE, False)
    assert not any(received)


@pytest.mark.parametrize("name", sorted(FAMILIES))
async def test_a_request_left_if_the_connection_broke_later(monkeypatch, name):
    received = []
    async with listening(received) as port:
        lead_to(f"http://127.0.0.1:{port}", monkeypatch)

        _, error = await answer(FAMILIES[name])

    assert (error.left, set(received)) == (True, {b"P"})  # The first letter of POST.


@pytest.mark.parametrize("name", sorted(FAMILIES))
async def test_a_request_left_if_an_earlier_attempt_did(monkeypatch, provider, name):
    attempts = Attempts(most=1)
    provider.script(Reply(status=503))
    await answer(FAMILIES[name], attempts=attempts)
    lead_to(NOBODY, monkeypatch)

    _, error = await answer(FAMILIES[name], attempts=attempts)

    assert (error.left, len(provider.requests)) == (True, 1)


async def test_a_request_left_if_the_answer_is_late(provider):
    provider.script(Reply(hang_after=0))

    _, error = await answer(FAMILIES["openai"], Deadlines(first_token=0.2))
    provider.release()

    assert (error.kind, error.left) == (ErrorKind.TIMEOUT, True)


def caused(error, cause, earlier=None):
    error.__cause__ = cause
    cause.__context__ = earlier
    return error


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(caused(httpx.ConnectError("x"), ClientOSError(104, "reset")), id="a reset"),
        pytest.param(caused(httpx.ConnectError("x"), asyncio.CancelledError()), id="a closed pool"),
        pytest.param(caused(httpx.ReadError("x"), ServerDisconnectedError()), id="no answer"),
        pytest.param(
            caused(httpx.NetworkError("x"), ClientConnectionError(), httpx.ConnectError("x")),
            id="another attempt had no connection",
        ),
        pytest.param(httpx.ReadTimeout("x"), id="a timeout"),
    ],
)
def test_an_error_that_may_come_later_is_not_certain(error):
    assert not lacked_connection(error)


@pytest.mark.parametrize("error", [httpx.ConnectError("x"), httpx.ConnectTimeout("x")])
def test_errors_of_connecting_are_certain(error):
    assert lacked_connection(error)
