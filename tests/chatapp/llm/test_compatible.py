"""Servers of OpenAI's protocol are asked without litellm, and get what litellm would send."""

import asyncio
import json
import random
import subprocess
import sys
from contextlib import asynccontextmanager, suppress

import httpx
import pytest

from chatapp.llm import client
from chatapp.llm.catalogue import not_taken, takes_all
from chatapp.llm.chunks import Finish, TextDelta
from chatapp.llm.errors import ErrorKind
from chatapp.llm.litellm_internals import parameters_made
from chatapp.llm.litellm_setup import litellm, model_costs
from chatapp.llm.providers import compatible, transport
from chatapp.llm.providers.connection import Connection
from chatapp.llm.retries import Attempts
from chatapp.llm.wire import SENDER
from tests.chatapp.llm.answering import DIRECT, answer
from tests.chatapp.llm.test_random_wires import TOOLS, request_of
from tests.provider import LITELLM_WARNS, Reply, delta, event

pytestmark = [*LITELLM_WARNS, pytest.mark.usefixtures("both_roads")]
HERE = "http://127.0.0.1:9/v1"
OPENAI = "https://api.openai.com/v1"
PARAMETERS = {"temperature": 0.3, "max_tokens": 9, "tools": TOOLS, "reasoning_effort": "low"}


@pytest.mark.parametrize(
    ("to", "is_so"),
    [
        pytest.param(Connection("openai/llama3", HERE, "k"), True, id="a server of somebody's own"),
        pytest.param(Connection("openai/a/b", HERE, "k"), True, id="a model with a maker"),
        pytest.param(Connection("openai/llama3", OPENAI, "k"), False, id="OpenAI"),
        pytest.param(Connection("openai/x", "https://eu.api.openai.com/v1", "k"), False, id="EU"),
        pytest.param(Connection("openai/x", "https://notopenai.com/v1", "k"), True, id="alike"),
        pytest.param(Connection("openai/llama3", None, "k"), False, id="OpenAI's usual address"),
        pytest.param(Connection("openai/llama3", HERE, None), False, id="no key"),
        pytest.param(Connection("openai/llama3", f"{HERE}?v=1", "k"), False, id="a query"),
        pytest.param(Connection("openai/gpt-4o", HERE, "k"), False, id="OpenAI's model"),
        pytest.param(Connection("openai/mine/o3", HERE, "k"), False, id="a known name"),
        pytest.param(Connection("openai/my-gpt-5", HERE, "k"), False, id="a name with a mark"),
        pytest.param(Connection("openai/responses/x", HERE, "k"), False, id="the other API"),
        pytest.param(Connection("hosted_vllm/x", HERE, "k"), False, id="another protocol"),
        pytest.param(Connection("demo/mirror"), False, id="the offline model"),
    ],
)
def test_who_is_asked_without_litellm(to, is_so):
    assert compatible.is_compatible(to) is is_so


@pytest.mark.parametrize("variable", compatible.HEADERS)
def test_nobody_is_if_the_environment_has_headers_for_the_library(monkeypatch, variable):
    monkeypatch.setenv(variable, "x")

    assert not compatible.is_compatible(Connection("openai/llama3", HERE, "k"))


PATTERN = {"type": "object", "properties": {"word": {"type": "string", "pattern": r"^\p{L}+$"}}}
WITH_PATTERN = [{"type": "function", "function": {"name": "say", "parameters": PATTERN}}]


async def test_tools_with_patterns_are_left_to_litellm(provider):
    attempts = Attempts()

    _, error = await answer(DIRECT, attempts=attempts, tools=WITH_PATTERN)

    assert error is None
    (request,) = provider.requests
    properties = request["tools"][0]["function"]["parameters"]["properties"]
    assert properties == {"word": {"type": "string"}}


async def test_they_get_what_litellm_would_send(provider):
    to = Connection(DIRECT, f"{provider.url}/v1", "sk-a")
    for seed in range(60):
        request = request_of(random.Random(seed), DIRECT)
        for ask in (compatible.opened, client.ask_by_litellm):
            await (await ask(request, to)).aclose()

    bodies = [json.loads(received.body) for received in provider.received]
    assert bodies[::2] == bodies[1::2]
    assert set(provider.authorizations) == {"Bearer sk-a"}
    assert {received.path for received in provider.received} == {"/v1/chat/completions"}


def test_litellm_would_change_no_parameter_of_theirs():
    listed = [n for n, entry in model_costs().items() if entry.get("litellm_provider") == "openai"]
    alike = [each for n in listed for each in (n, f"my-{n}", f"{n}-awq", f"mine/{n}", f"{n}/mine")]
    more = ["llama3", "mine/llama3", "mine/gpt-4o", "mine/o3", "my-gpt-5", "gpt-6", "o9"]
    names = [name for name in [*alike, *more] if takes_all(f"openai/{name}")]

    made = {n: parameters_made(litellm(), n, "openai", **PARAMETERS) for n in names}

    assert {"llama3", "mine/llama3", "my-gpt-4o", "gpt-4o-awq", "o3/mine"} <= made.keys()
    assert {
        n for n, of in made.items() if {k: of.get(k) for k in PARAMETERS} != PARAMETERS
    } == set()
    assert not_taken(DIRECT, {"temperature": 0.3}) == ()


ALONE = """
import asyncio, sys, django
django.setup()
from chatapp.llm import client
from chatapp.llm.request import LlmRequest
async def ask():
    request = LlmRequest("openai/fake", [{"role": "user", "content": "Hello"}])
    chunks = [chunk async for chunk in client.stream(request)]
    await client.close()
    return chunks
print(asyncio.run(ask())[-1].reason, "litellm" in sys.modules)
"""


def test_nothing_of_litellm_is_loaded_for_them(provider):
    done = subprocess.run(
        [sys.executable, "-c", ALONE], capture_output=True, text=True, check=False
    )

    assert (done.stdout, done.stderr) == ("stop False\n", "")


async def test_an_error_without_end_is_read_only_so_far(monkeypatch):
    left = asyncio.Event()

    async def complain(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n")
        with suppress(ConnectionError):
            while True:
                writer.write(b"400\r\n%b\r\n" % (b"x" * 1_024))
                await writer.drain()
        writer.transport.abort()
        left.set()

    async with await asyncio.start_server(complain, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setenv("OPENAI_API_BASE", f"http://127.0.0.1:{port}/v1")

        _, error = await answer(DIRECT)

        assert error.kind == ErrorKind.BAD_REQUEST
        await left.wait()


async def test_no_part_of_a_request_has_a_time_limit_of_its_own(provider):
    assert SENDER.timeout == httpx.Timeout(None)


async def test_certificates_that_cannot_be_read_are_told_and_not_used(
    provider, monkeypatch, caplog
):
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/bundle.pem")
    transport._certificates.cache_clear()
    await client.close()

    assert await answer(DIRECT) == ([TextDelta("reply "), TextDelta("1"), Finish("stop")], None)

    assert "SSL_CERT_FILE" in caplog.text
    transport._certificates.cache_clear()


async def test_a_refusal_for_another_reason_is_not_taken_for_a_long_request(provider):
    provider.script(Reply(status=429, body='{"error": "the context window is full of requests"}'))

    _, error = await answer(DIRECT)

    assert error.kind == ErrorKind.RATE_LIMITED


async def test_a_redirection_is_followed_and_both_requests_are_recorded(provider):
    provider.script(Reply(status=307, headers={"Location": "/v2/chat/completions"}), Reply(["Hi"]))
    attempts = Attempts()

    assert await answer(DIRECT, attempts=attempts) == ([TextDelta("Hi"), Finish("stop")], None)

    assert [received.path for received in provider.received] == [
        "/v1/chat/completions",
        "/v2/chat/completions",
    ]
    assert [sent.status for sent in attempts.sent] == [307, 200]


async def test_a_proxy_of_the_environment_is_used(provider, monkeypatch):
    monkeypatch.setenv("OPENAI_API_BASE", "http://nowhere.invalid/v1")
    monkeypatch.setenv("http_proxy", provider.url)
    provider.script(Reply(["Hi"]))

    assert await answer(DIRECT) == ([TextDelta("Hi"), Finish("stop")], None)

    (received,) = provider.received
    assert received.path == "http://nowhere.invalid/v1/chat/completions"


async def test_a_host_that_needs_no_proxy_is_asked_itself(provider, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    provider.script(Reply(["Hi"]))

    assert await answer(DIRECT) == ([TextDelta("Hi"), Finish("stop")], None)


@asynccontextmanager
async def slow_to_end(connections, pause):
    """Run a server whose answers end this many seconds after their last words; yield its address.
    It notes each connection.
    """

    async def serve(reader, writer):
        connections.append(writer)
        words = delta(content="Hi") + event({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        while await reader.readline():
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length:")[2].split()[0])
            await reader.readexactly(length)
            body = words + b"data: [DONE]\n\n"
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            writer.write(b"%x\r\n%b\r\n" % (len(body), body))
            await asyncio.sleep(pause)
            writer.write(b"0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        for writer in connections:
            writer.transport.abort()
        await asyncio.sleep(0)  # The transports close in the next round of the loop.


@pytest.mark.parametrize(("pause", "used"), [(0.01, 1), (0.5, 2)])
async def test_a_connection_is_used_again_if_its_answer_ends_soon(monkeypatch, pause, used):
    connections = []
    async with slow_to_end(connections, pause) as address:
        monkeypatch.setenv("OPENAI_API_BASE", address)

        for _ in range(2):
            assert await answer(DIRECT) == ([TextDelta("Hi"), Finish("stop")], None)
        await client.close()

    assert len(connections) == used
