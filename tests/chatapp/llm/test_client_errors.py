"""Errors in asking a model: refusals, broken connections, deadlines, keys and names."""

import asyncio

import pytest

from chatapp.llm.chunks import Finish, TextDelta
from chatapp.llm.errors import ErrorKind, refusal
from chatapp.llm.retries import Attempts, Deadlines
from tests.chatapp.llm.answering import DIRECT, answer
from tests.provider import LITELLM_WARNS, Reply

pytestmark = [*LITELLM_WARNS, pytest.mark.usefixtures("both_roads")]
STORED = ", or save the key in the administration."


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

    assert (chunks, error.kind, error.left) == ([], kind, True)
    assert len(provider.requests) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 529])
async def test_an_overloaded_provider_is_asked_three_times(provider, model, status):
    provider.script(*[Reply(status=status)] * 3)
    attempts = Attempts()

    chunks, error = await answer(model, attempts=attempts)

    assert (chunks, error.kind, len(provider.requests)) == ([], ErrorKind.OVERLOADED, 3)
    assert attempts == Attempts(made=3)


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


@pytest.mark.parametrize(
    ("model", "variable", "stored"),
    [
        pytest.param("openai/gpt-4o", "OPENAI_API_KEY", ".", id="an address in the environment"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY", STORED),
        ("gemini/gemini-2.5-pro", "GEMINI_API_KEY", STORED),
    ],
)
async def test_a_missing_key_is_named_with_every_way_to_set_it(
    monkeypatch, provider, model, variable, stored
):
    for name in (variable, "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    _, error = await answer(model)

    assert error.kind == ErrorKind.MISSING_KEY
    named = f"{model} needs a key. Set {variable} in the environment and restart"
    assert error.message == f"{named}{stored}"
    assert (error.left, provider.requests) == (False, [])


async def test_a_name_that_is_no_model(provider):
    _, error = await answer("nonsense")

    assert (error.kind, error.left, provider.requests) == (ErrorKind.NOT_FOUND, False, [])


@pytest.mark.parametrize("name", ["oobabooga/{}/x", "oobabooga/fake", "ollama_chat/fake"])
async def test_nothing_leaves_for_a_model_that_may_not_be_asked(provider, name, monkeypatch):
    """Such a model may still be named in an old row or a reverted version."""
    monkeypatch.setenv("OOBABOOGA_API_BASE", provider.url)
    model = name.format(provider.url)
    chunks, error = await answer(model)

    assert (chunks, error.kind, error.left) == ([], "forbidden", False)
    assert error.message.startswith(f"{model} can't be used: ")
    assert provider.requests == []
