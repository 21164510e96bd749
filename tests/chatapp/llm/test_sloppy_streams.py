"""Streams of servers that break the protocol are read as far as possible."""

import json

import pytest

from chatapp.generation.reading.response import Response
from chatapp.llm import client
from chatapp.llm.errors import ErrorKind
from chatapp.llm.retries import Attempts
from history.core.wire.streamed import StreamCounts
from tests.chatapp.llm.answering import PATIENT, answer, request_to
from tests.provider import LITELLM_WARNS, Reply

pytestmark = [pytest.mark.usefixtures("both_roads"), *LITELLM_WARNS]


def event(content=None, finish=None, **fields):
    choice = {"index": 0, "delta": {"content": content}, "finish_reason": finish}
    return "data: " + json.dumps({"id": "1", "choices": [choice], **fields}, ensure_ascii=False)


HELLO, WORLD = event("Hello "), event("world", "stop")
END = "data: [DONE]\n\n"
STREAMS = {
    "no blank lines": f"{HELLO}\n{WORLD}\n{END}",
    "nothing after the last event": f"{HELLO}\n\n{WORLD}",
    "events without data": f"data:\n\n{HELLO}\n\ndata: \n\n{WORLD}\n\n{END}",
    "a comment in two lines": f": a\u2028data: b\n\n{HELLO}\n\n{WORLD}\n\n{END}",
    "a blank after the end": f"{HELLO}\n\n{WORLD}\n\ndata: [DONE] \n\n",
    "no end": f"{HELLO}\n\n{WORLD}\n\n",
    "returns": f"{HELLO}\r\r{WORLD}\r\r{END}",
    "JSON in several lines": HELLO.replace(", ", ",\ndata: ") + f"\n\n{WORLD}\n\n{END}",
}


async def response_to(model):
    response, attempts = Response(10**6), Attempts()
    async for chunk in client.stream(request_to(model), PATIENT, attempts):
        response.take(chunk, 1.0)
    return response, StreamCounts.from_dict(response.outcome(1.0, attempts, None)["streamed"])


@pytest.mark.parametrize("name", STREAMS)
async def test_all_of_it_is_read(model, provider, name):
    provider.script(Reply(body=STREAMS[name]))

    response, found = await response_to(model)

    assert (response.text, list(found.notes())) == ("Hello world", [])


async def test_what_is_no_json_is_left_out_and_counted(model, provider):
    provider.script(Reply(body=f"{HELLO}\n\ndata: {{nope\n\n{WORLD}\n\n{END}"))

    response, found = await response_to(model)

    assert (response.text, found.broken) == ("Hello world", 1)


async def test_usage_after_an_end_without_a_blank_line_is_kept(model, provider):
    usage = event(usage={"prompt_tokens": 7, "completion_tokens": 2})
    provider.script(Reply(body=f"{HELLO}\n\n{WORLD}\n\n{usage}"))

    chunks, error = await answer(model)

    assert error is None
    assert [each.prompt for each in chunks if hasattr(each, "prompt")] == [7]


async def test_usage_after_the_end_is_not_read_but_named(model, provider):
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    late = "data: " + json.dumps({"id": "1", "choices": [], "usage": usage})
    provider.script(Reply(body=f"{HELLO}\n\n{WORLD}\n\n{END}{late}\n\n"))

    response, found = await response_to(model)

    assert response.text == "Hello world"
    assert found.unread == ["usage after [DONE]"]


@pytest.mark.parametrize("reason", [7, ["stop"], {}])
async def test_a_reason_that_is_no_word_is_none(model, provider, reason):
    provider.script(Reply(body=f"{event('Hello', reason)}\n\n{WORLD}\n\n{END}"))

    response, _ = await response_to(model)

    assert response.text == "Helloworld"


async def test_an_answer_at_its_limit_has_the_usual_reason(model, provider):
    provider.script(Reply(body=f"{event('Hello', 'max_tokens')}\n\n{END}"))

    chunks, _ = await answer(model)

    assert chunks[-1].reason == "length"


@pytest.mark.parametrize("tokens", ["5", 5.5, [], True])
async def test_usage_in_no_whole_numbers_is_not_taken(model, provider, tokens):
    usage = {"prompt_tokens": tokens, "completion_tokens": 2}
    provider.script(Reply(body=f"{event('Hello', 'stop', usage=usage)}\n\n{END}"))

    chunks, _ = await answer(model)

    assert [each for each in chunks if hasattr(each, "prompt")] == []


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "This model's maximum context length is 4096", "code": 400}, "too long"),
        ({"message": "x", "code": "context_length_exceeded"}, "too long"),
        ({"message": "Slow down", "code": 429}, ErrorKind.RATE_LIMITED),
    ],
)
async def test_an_error_in_a_stream_is_what_it_says(model, provider, error, kind):
    provider.script(*[Reply(body=f"data: {json.dumps({'error': error})}\n\n")] * 3)

    _, failed = await answer(model)

    assert failed.kind == (ErrorKind.CONTEXT_TOO_LONG if kind == "too long" else kind)
