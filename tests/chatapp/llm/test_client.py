"""The stream of a model over real HTTP, by both roads: the openai client's own and litellm's."""

import asyncio
import subprocess
import sys
from contextlib import aclosing

import pytest

from chatapp.llm import client
from chatapp.llm.chunks import CallDelta, Finish, ReportedUsage, TextDelta
from chatapp.llm.errors import ErrorKind, ProviderError, refusal
from chatapp.llm.request import LlmRequest
from chatapp.llm.retries import Attempts, Deadlines
from tests.provider import LITELLM_WARNS, Call, Reply

pytestmark = LITELLM_WARNS
DIRECT, WRAPPED = "openai/fake", "hosted_vllm/fake"
PATIENT = Deadlines(first_token=20, idle=20, total=20, retry_pause=0)
TOOLS = [{"type": "function", "function": {"name": "calculator", "parameters": {}}}]


@pytest.fixture(autouse=True)
async def wrapped(provider, monkeypatch, settings):
    """A second way to the provider; and no connection outlives its test's event loop."""
    settings.MODEL_PROVIDERS |= {"hosted_vllm"}
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", f"{provider.url}/v1")
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", "test")
    yield
    await client.close()


@pytest.fixture(params=[DIRECT, WRAPPED])
def model(request):
    return request.param


def request_to(model, **fields):
    return LlmRequest(model, [{"role": "user", "content": "Hello"}], **fields)


async def answer(model, deadlines=PATIENT, attempts=None, **fields):
    """Return all chunks of an answer, and the error that ended it, if any."""
    chunks = []
    try:
        async for chunk in client.stream(request_to(model, **fields), deadlines, attempts):
            chunks.append(chunk)  # noqa: PERF401 -- an error keeps what came before it
    except ProviderError as error:
        return chunks, error
    return chunks, None


async def test_text_comes_in_the_providers_pieces_and_ends_with_its_reason(provider, model):
    provider.script(Reply(text=["Hel", "lo"]))

    assert await answer(model) == ([TextDelta("Hel"), TextDelta("lo"), Finish("stop")], None)


async def test_a_model_may_repeat_itself(provider, model):
    provider.script(Reply(text=["-"] * 200))

    assert await answer(model) == ([TextDelta("-")] * 200 + [Finish("stop")], None)


async def test_the_request_is_what_the_body_says(provider):
    request = request_to(DIRECT, tools=TOOLS, temperature=0.5, max_tokens=9)
    assert await answer(DIRECT, tools=TOOLS, temperature=0.5, max_tokens=9)

    assert provider.requests == [{**request.body(), "model": "fake"}]


async def test_what_is_unset_is_not_sent(provider):
    await answer(DIRECT)

    assert provider.requests == [
        {
            "model": "fake",
            "messages": [{"role": "user", "content": "Hello"}],
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]


async def test_tool_calls_come_in_pieces(provider, model):
    calls = [Call("calculator", '{"a": 1}', "c1"), Call("clock", "{}", "c2")]
    provider.script(Reply(text=["Wait."], calls=calls, finish="tool_calls"))

    chunks, error = await answer(model, tools=TOOLS)

    assert error is None
    assert chunks == [
        TextDelta("Wait."),
        CallDelta(0, "c1", "calculator", '{"a"'),
        CallDelta(0, "", "", ": 1}"),
        CallDelta(1, "c2", "clock", "{"),
        CallDelta(1, "", "", "}"),
        Finish("tool_calls"),
    ]


@pytest.mark.parametrize(
    ("details", "usage"),
    [
        pytest.param({}, ReportedUsage(7, 2), id="no word of a cache"),
        pytest.param(
            {"prompt_tokens_details": {"cached_tokens": 5}},
            ReportedUsage(7, 2, 5),
            id="with a cache",
        ),
    ],
)
async def test_reported_usage_is_passed_on(provider, model, details, usage):
    reported = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9, **details}
    provider.script(Reply(text=["Hi"], usage=reported))

    assert await answer(model) == ([TextDelta("Hi"), usage, Finish("stop")], None)


def test_usage_as_a_record_holds_what_was_reported_alone():
    assert ReportedUsage(7, 2, cache_read=0).as_dict() == {
        "prompt": 7,
        "completion": 2,
        "cache_read": 0,
    }


async def test_no_usage_is_invented(provider, model):
    provider.script(Reply(text=["Hi"]))

    chunks, _ = await answer(model)

    assert [chunk for chunk in chunks if isinstance(chunk, ReportedUsage)] == []


@pytest.mark.parametrize("finish", ["length", "content_filter"])
async def test_the_reason_to_finish_is_the_providers(provider, model, finish):
    provider.script(Reply(text=["Hi"], finish=finish))

    assert await answer(model) == ([TextDelta("Hi"), Finish(finish)], None)


@pytest.mark.parametrize("piece", [1, 2, 7])
async def test_bytes_may_be_parted_anywhere(provider, model, piece):
    provider.script(Reply(text=["é€", "😀\n\n"], piece=piece))

    assert await answer(model) == ([TextDelta("é€"), TextDelta("😀\n\n"), Finish("stop")], None)


async def test_text_is_made_storable(provider):
    line = r'data: {"choices": [{"index": 0, "delta": {"content": "a\u0000b\ud83d"}}]}'
    provider.script(Reply(raw=[line]))

    assert await answer(DIRECT) == ([TextDelta("a\ufffdb\ufffd"), Finish("stop")], None)


# What goes wrong


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ErrorKind.BAD_REQUEST),
        (401, ErrorKind.AUTH),
        (402, ErrorKind.RATE_LIMITED),
        (403, ErrorKind.AUTH),
        (404, ErrorKind.NOT_FOUND),
        (408, ErrorKind.TIMEOUT),
        (413, ErrorKind.CONTEXT_TOO_LONG),
        (429, ErrorKind.RATE_LIMITED),
        (418, ErrorKind.UNKNOWN),
    ],
)
async def test_a_refusal_is_explained_and_not_repeated(provider, model, status, kind):
    provider.script(Reply(status=status))

    chunks, error = await answer(model)

    assert (chunks, error.kind, len(provider.requests)) == ([], kind, 1)


@pytest.mark.parametrize("status", [500, 502, 503, 529])
async def test_an_overloaded_provider_is_asked_three_times(provider, model, status):
    provider.script(*[Reply(status=status)] * 3)
    attempts = Attempts()

    chunks, error = await answer(model, attempts=attempts)

    assert (chunks, error.kind, len(provider.requests)) == ([], ErrorKind.OVERLOADED, 3)
    assert attempts == Attempts(made=3, failures=[ErrorKind.OVERLOADED] * 3)


async def test_a_second_attempt_may_succeed(provider, model):
    provider.script(Reply(status=503), Reply(text=["Hi"]))

    assert await answer(model) == ([TextDelta("Hi"), Finish("stop")], None)


@pytest.mark.parametrize(
    ("seconds", "requests", "wait"),
    [
        pytest.param("0", 3, 0.0, id="a short wait is kept to"),
        pytest.param("30", 1, 30.0, id="a long one is the person's to decide"),
        pytest.param("tomorrow", 1, None, id="what is no number is ignored"),
    ],
)
async def test_the_provider_may_say_when_to_come_back(provider, model, seconds, requests, wait):
    provider.script(*[Reply(status=429, headers={"Retry-After": seconds})] * 3)

    _, error = await answer(model)

    assert (error.kind, error.retry_after) == (ErrorKind.RATE_LIMITED, wait)
    assert len(provider.requests) == requests


async def test_a_request_that_is_too_long(provider, model):
    message = "This model's maximum context length is 10 tokens."
    body = f'{{"error": {{"message": "{message}", "code": "context_length_exceeded"}}}}'
    provider.script(Reply(status=400, body=body))

    _, error = await answer(model)

    assert error.kind == ErrorKind.CONTEXT_TOO_LONG


async def test_nobody_listens(monkeypatch, unused_tcp_port):
    monkeypatch.setenv("OPENAI_API_BASE", f"http://127.0.0.1:{unused_tcp_port}/v1")
    attempts = Attempts()

    chunks, error = await answer(DIRECT, attempts=attempts)

    assert (chunks, error.kind, attempts.made) == ([], ErrorKind.UNREACHABLE, 3)


async def test_a_stream_that_is_cut_keeps_its_text(provider, model):
    provider.script(Reply(text=["one ", "two ", "three"], cut_after=2))

    chunks, error = await answer(model)

    assert (chunks, error.kind) == ([TextDelta("one "), TextDelta("two ")], ErrorKind.CUT)
    assert len(provider.requests) == 1


async def test_an_end_without_a_reason_is_a_cut(provider):
    provider.script(Reply(text=["one"], finish=None))

    chunks, error = await answer(DIRECT)

    assert (chunks, error.kind) == ([TextDelta("one")], ErrorKind.CUT)


async def test_an_answer_that_is_whole_survives_a_cut_after_it(provider, model):
    provider.script(Reply(text=["one"], cut_after=2))

    assert await answer(model) == ([TextDelta("one"), Finish("stop")], None)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Reply(body="<html>Welcome</html>"), id="a page"),
        pytest.param(Reply(body=" "), id="nothing"),
    ],
)
async def test_what_is_no_stream_is_no_answer(provider, model, reply):
    provider.script(reply)

    chunks, error = await answer(model)

    assert (chunks, error.kind, len(provider.requests)) == ([], ErrorKind.BAD_RESPONSE, 1)


async def test_garbage_in_the_stream(provider):
    provider.script(Reply(text=["one"], raw=["data: {nope"]))

    chunks, error = await answer(DIRECT)

    assert (chunks, error.kind) == ([TextDelta("one")], ErrorKind.BAD_RESPONSE)


async def test_an_error_in_the_stream_is_not_shown(provider, model):
    line = 'data: {"error": {"message": "sk-secret", "type": "server_error", "code": 500}}'
    provider.script(Reply(text=["one"], raw=[line]))

    chunks, error = await answer(model)

    assert (chunks, error.kind) == ([TextDelta("one")], ErrorKind.OVERLOADED)
    assert error.message == (refusal(ErrorKind.OVERLOADED, model).message)


@pytest.mark.parametrize(
    ("reply", "deadlines", "message"),
    [
        pytest.param(
            Reply(text=["a"], hang_after=0),
            Deadlines(first_token=1.5, retry_pause=0),
            "The model didn't start answering within 1.5 s.",
            id="the first token",
        ),
        pytest.param(
            Reply(text=["a", "b"], hang_after=1),
            Deadlines(idle=0.2),
            "The model sent nothing for 0.2 s.",
            id="between chunks",
        ),
        pytest.param(
            Reply(text=["a"], endless=True, delay=0.02),
            Deadlines(total=0.5),
            "The model took longer than 0.5 s in total.",
            id="in all",
        ),
    ],
)
async def test_a_provider_that_is_late_is_left(provider, model, reply, deadlines, message):
    provider.script(reply)

    _, error = await answer(model, deadlines)

    assert error.kind == ErrorKind.TIMEOUT
    assert error.message == f"{message} Retry, or choose a faster model."
    assert await asyncio.to_thread(provider.closed.wait, 30)
    assert len(provider.requests) == 1


# Stopping


async def test_closing_the_stream_closes_the_connection(provider, model):
    provider.script(Reply(text=["word "], endless=True, delay=0.01))

    async with aclosing(client.stream(request_to(model), PATIENT)) as chunks:
        assert await anext(chunks) == TextDelta("word ")

    assert await asyncio.to_thread(provider.closed.wait, 30)


@pytest.mark.parametrize("silent_after", [0, 1])
async def test_cancelling_the_task_closes_the_connection(provider, model, silent_after):
    provider.script(Reply(text=["a", "b"], hang_after=silent_after))
    task = asyncio.create_task(answer(model))
    await asyncio.to_thread(provider.asked.wait, 5)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(provider.closed.wait, 30)


# Keys and names


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/gpt-4o", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-2.5-pro", "GEMINI_API_KEY"),
    ],
)
async def test_a_missing_key_is_named(monkeypatch, provider, model, variable):
    for name in (variable, "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    _, error = await answer(model)

    assert error.kind == ErrorKind.MISSING_KEY
    assert error.message == (f"{model} needs a key. Set {variable} in the environment and restart.")
    assert provider.requests == []


async def test_a_name_that_is_no_model(provider):
    _, error = await answer("nonsense")

    assert (error.kind, provider.requests) == (ErrorKind.NOT_FOUND, [])


# Loading

QUICK = """
import sys
from chatapp.llm import catalogue, client
catalogue.limits("demo/mirror"), catalogue.key_missing("demo/mirror")
sys.exit("litellm" in sys.modules)
"""
LOADED = """
import sys
from chatapp.llm import client
client.warm_up()
import litellm
assert "litellm.proxy.proxy_server" not in sys.modules
assert not litellm.telemetry and litellm.suppress_debug_info and litellm.drop_params
assert not litellm.success_callback + litellm.callbacks
assert not [key for key in litellm.in_memory_llm_clients_cache.cache_dict if "openai" in key]
"""


@pytest.mark.parametrize("script", [QUICK, LOADED], ids=["lazily", "as warm-up leaves it"])
def test_litellm_is_loaded(script):
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", ["oobabooga/{}/x", "oobabooga/fake", "ollama_chat/fake"])
async def test_nothing_leaves_for_a_model_that_may_not_be_asked(provider, name, monkeypatch):
    """As an old row or a reverted version may still name it."""
    monkeypatch.setenv("OOBABOOGA_API_BASE", provider.url)
    model = name.format(provider.url)
    chunks, error = await answer(model)

    assert (chunks, error.kind) == ([], "forbidden")
    assert error.message.startswith(f"{model} can't be used: ")
    assert provider.requests == []
