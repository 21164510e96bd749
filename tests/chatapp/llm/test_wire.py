"""A request is recorded byte for byte as the provider received it, but without its key."""

import httpx
import pytest

from chatapp.llm.errors import ErrorKind
from chatapp.llm.retries import Attempts
from chatapp.llm.wire import KEY, Recorder, recorded
from tests.chatapp.llm.answering import answer
from tests.chatapp.llm.families import FAMILIES, SECRET
from tests.provider import LITELLM_WARNS, Reply

pytestmark = [pytest.mark.usefixtures("reached"), *LITELLM_WARNS]
TOOLS = [{"type": "function", "function": {"name": "clock", "parameters": {"type": "object"}}}]


@pytest.fixture(params=FAMILIES)
def model(request):
    return FAMILIES[request.param]


async def test_the_record_is_what_was_received(provider, model):
    attempts = Attempts()

    await answer(model, attempts=attempts, tools=TOOLS, temperature=0.3, max_tokens=9)

    (sent,), (received,) = attempts.sent, provider.received
    assert sent.body == received.body
    assert (sent.method, sent.status) == ("POST", 200)
    assert sent.address == f"{provider.url}{received.path}"
    assert {n: v for n, v in received.headers.items() if n in sent.headers} == {
        name: value.replace(KEY, SECRET) for name, value in sent.headers.items()
    }


@pytest.mark.parametrize("name", sorted(FAMILIES.keys() - {"ollama_chat"}))
async def test_no_record_holds_a_key(provider, name):
    echo = {"X-Request-Id": f"for {SECRET}", "X-RateLimit-Limit-Requests": "5"}
    provider.script(Reply(status=400, headers=echo))
    attempts = Attempts()

    await answer(FAMILIES[name], attempts=attempts)

    assert SECRET not in repr(attempts.sent)
    assert attempts.sent[0].answered == {"x-ratelimit-limit-requests": "5"}


@pytest.mark.parametrize("name", sorted(FAMILIES.keys() - {"ollama_chat"}))
async def test_a_key_in_pieces_is_not_kept_either(provider, name):
    half = len(SECRET) // 2
    echoes = {
        "X-Request-Id": f"for {SECRET[:half]} and {SECRET[half:]}",
        "CF-Ray": "-".join(SECRET),
        "X-Generation-Id": SECRET.upper(),
        "OpenAI-Version": f"{SECRET[:3]}...{SECRET[-9:]}",
        "Server-Timing": "total;dur=98765",
        "X-RateLimit-Reset-Tokens": "6m0s",
    }
    provider.script(Reply(status=400, headers=echoes))
    attempts = Attempts()

    await answer(FAMILIES[name], attempts=attempts)

    kept = {"server-timing": "total;dur=98765", "x-ratelimit-reset-tokens": "6m0s"}
    assert attempts.sent[0].answered == kept


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini"])
async def test_each_attempt_is_a_record(provider, name):
    headers = {"Retry-After": "0", "X-Request-Id": "r1", "Set-Cookie": "a=b", "Server": "secret"}
    provider.script(Reply(status=429, headers=headers), Reply(status=503), Reply(status=400))
    attempts = Attempts()

    _, error = await answer(FAMILIES[name], attempts=attempts)

    assert error.kind == ErrorKind.BAD_REQUEST
    assert [sent.body for sent in attempts.sent] == [r.body for r in provider.received]
    assert [sent.status for sent in attempts.sent] == [429, 503, 400]
    assert attempts.sent[0].answered == {"retry-after": "0", "x-request-id": "r1"}
    assert not any("cookie" in received.headers for received in provider.received)


async def test_what_nobody_answers_is_recorded_too(provider, monkeypatch):
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:1/v1")
    attempts = Attempts(made=2)

    _, error = await answer("openai/fake", attempts=attempts)

    assert (error.kind, attempts.sent[0].status) == (ErrorKind.UNREACHABLE, None)


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://a.example/v1/x", "http://a.example/v1/x"),
        ("http://me:word@a.example/x?alt=sse&key=k1", f"http://a.example/x?alt=sse&key={KEY}"),
        ("http://a.example/x?api-version=3#k", "http://a.example/x?api-version=3"),
    ],
)
async def test_an_address_is_kept_without_its_secrets(url, kept):
    transport = httpx.MockTransport(lambda request: httpx.Response(204))
    sent = []

    with recorded(sent):
        await Recorder(lambda: transport).handle_async_request(httpx.Request("GET", url))

    assert [request.address for request in sent] == [kept]
