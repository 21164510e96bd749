"""A stream is read as the openai library would read it, whatever it contains and however it is
split.
"""

import json

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai import APIError, AsyncOpenAI, AsyncStream
from openai.types.chat import ChatCompletionChunk

from chatapp.llm.chunks import Reading
from chatapp.llm.errors import classify
from chatapp.llm.server_sent import chunks_of
from chatapp.llm.streams import splitting
from chatapp.llm.streams.events import ErrorReported
from chatapp.llm.streams.mending import counted, mend
from tests.provider import LITELLM_WARNS, Call, Reply, call_deltas, delta, event

pytestmark = LITELLM_WARNS


def sent(payload):
    return f"data: {json.dumps(payload, ensure_ascii=False)}\n\n".encode()


def choice(**fields):
    return event({"choices": [{"index": 0, "delta": {}, "finish_reason": None, **fields}]})


def usage(**fields):
    return event({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2, **fields}})


CALL = Call("clock", '{"zone": "Europe/Oslo"}', "c1")
USUAL = {
    "text": delta(content="Hé\u2028llo\x85, \u00a0世界 🙂"),
    "an escaped half of a character": b'data: {"choices": [{"delta": {"content": "\\ud800"}}]}\n\n',
    "no text": delta(content=None),
    "an empty text": delta(content=""),
    "a role": delta(role="assistant", content=""),
    "a refusal": delta(refusal="No."),
    "reasoning_content": delta(reasoning_content="Hm"),
    "reasoning": delta(reasoning="Hm", content="Yes"),
    "details of reasoning": delta(
        reasoning_details=[{"type": "reasoning.text", "text": "Hm", "signature": "s", "index": 0}]
    ),
    "a call": b"".join(call_deltas(0, CALL)),
    "calls of one index": b"".join(
        [*call_deltas(0, CALL), *call_deltas(0, Call("clock", "{}", "c2"))]
    ),
    "arguments as an object": delta(
        tool_calls=[{"index": 0, "id": "c1", "function": {"name": "clock", "arguments": {"a": 1}}}]
    ),
    "a call without a function": delta(tool_calls=[{"index": 0, "id": "c1"}]),
    "a call that is signed": delta(
        tool_calls=[
            {
                "index": 0,
                "id": "c1",
                "function": {"name": "clock", "arguments": "{}"},
                "provider_specific_fields": {"thought_signature": "abc"},
            }
        ]
    ),
    "an end": choice(finish_reason="stop"),
    "an end by a filter": choice(finish_reason="content_filter"),
    "usage": usage(total_tokens=9),
    "usage with details": usage(
        prompt_tokens_details={"cached_tokens": 5, "audio_tokens": None},
        completion_tokens_details={"reasoning_tokens": 1},
    ),
    "usage of a cache in other places": usage(
        prompt_cache_hit_tokens=3, cache_creation_input_tokens=4, prompt_tokens_details=None
    ),
    "usage that is not known": usage(prompt_tokens=None),
    "no usage": event({"choices": [], "usage": None}),
    "no choices": event({}),
    "choices that are null": event({"choices": None}),
    "two choices": event({"choices": [{"delta": {"content": "a"}, "finish_reason": None}] * 2}),
    "an error that is null": event({"error": None, "choices": []}),
    "a number": b"data: 5\n\n",
    "null": b"data: null\n\n",
    "an array": b"data: []\n\n",
    "a comment": b": ping\n\n",
    "lines that end otherwise": delta(content="one").replace(b"\n", b"\r\n"),
    "one in several lines": b'data: {"choices":\ndata: [{"delta": {}, "finish_reason": "x"}]}\n\n',
    "a name": b"event: message\n" + delta(content="named"),
    "no blank after the colon": delta(content="one").replace(b"data: ", b"data:"),
    "another field": b"foo: bar\n" + delta(content="one"),
}
FATAL = {
    "an error": event({"error": {"message": "sk-secret", "code": 500}}),
    "an error that is a word": event({"error": "busy"}),
    "garbage": b"data: {nope\n\n",
    "half a character": b'data: {"choices": [{"delta": {"content": "\xc3"}}]}\n\n',
    "choices that are an object": event({"choices": {"a": 1}}),
    "a choice that is a word": event({"choices": ["a"]}),
    "a call that is a word": delta(tool_calls=["a"]),
    "the end": b"data: [DONE]\n\n",
    "half an event": b'data: {"choices": []}\n',
}
STREAMS = USUAL | FATAL


class Pieces(httpx.AsyncByteStream):
    """A body that arrives in pieces of `size` bytes."""

    def __init__(self, body, size):
        self.body, self.size, self.closed = body, size, False

    async def __aiter__(self):
        for start in range(0, len(self.body), self.size):
            yield self.body[start : start + self.size]

    async def aclose(self):
        self.closed = True


def answered(body, size):
    return mended(Pieces(body, size))


def mended(stream):
    request = httpx.Request("POST", "http://127.0.0.1/v1/chat/completions")
    headers = {"content-type": "text/event-stream"}
    response = httpx.Response(200, headers=headers, stream=stream, request=request)
    with counted(lambda tally: None):
        mend(response)
    return response


async def by_the_library(body):
    async with AsyncOpenAI(api_key="none") as client:
        stream = AsyncStream(
            cast_to=ChatCompletionChunk, response=answered(body, 2**20), client=client
        )
        async for chunk in stream:
            yield [chunk]


async def read(source):
    """Return all that is read of a stream, and the kind of error that ends it, if any."""
    reading, deltas, error = Reading(), [], None
    try:
        async for chunks in source:
            for chunk in chunks:
                deltas.extend(reading.read(chunk))
    except (ErrorReported, APIError):
        error = "reported"
    except Exception as raised:
        error = classify(raised)
    return deltas, reading.finish, reading.usage, error


@pytest.mark.parametrize("size", [1, 2**20], ids=["byte by byte", "whole"])
@pytest.mark.parametrize("name", STREAMS)
async def test_each_is_read_as_the_library_reads_it(name, size):
    body = delta(content="before") + STREAMS[name] + delta(content="after")

    assert await read(chunks_of(answered(body, size))) == await read(by_the_library(body))


@given(
    st.lists(st.sampled_from(list(USUAL.values())), max_size=8),
    st.sampled_from([b"", *FATAL.values()]),
    st.integers(1, 40),
)
async def test_any_stream_is_read_as_the_library_reads_it(events, end, size):
    body = b"".join(events) + end

    assert await read(chunks_of(answered(body, size))) == await read(by_the_library(body))


async def test_an_event_without_data_is_skipped():
    """The openai library fails at such an event. If the event has only an id, even a comment after
    it makes the library fail.
    """
    empty = b"event: ping\n\nretry: 3000\n\nid: 1\n\n: ping\n\n"
    body = delta(content="one") + empty + delta(content="two")

    deltas, _, _, error = await read(chunks_of(answered(body, 2**20)))

    assert ([each.text for each in deltas], error) == (["one", "two"], None)


async def test_what_comes_together_is_read_together():
    body = b"".join(Reply(text=["a", "b", "c"]).events())

    found = [len(chunks) async for chunks in chunks_of(answered(body, 2**20))]

    assert found == [4]  # The fourth ends the answer.


async def test_an_event_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr(splitting, "LONGEST", 2_000)
    body = b"data: " + b"x" * 2_001

    _, _, _, error = await read(chunks_of(answered(body, 2**20)))

    assert error is not None


@pytest.mark.parametrize("name", ["text", "the end", "an error", "garbage"])
async def test_the_connection_is_closed_whatever_ends_it(name):
    stream = Pieces(STREAMS[name], 2**20)

    await read(chunks_of(mended(stream)))

    assert stream.closed
