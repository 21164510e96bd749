"""A mended stream says the same as the original, whatever it contains and however it is split."""

import gzip
import json

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.llm.streams import menders, splitting
from chatapp.llm.streams.menders import DONE, Documents, Event, Mender, joined
from chatapp.llm.streams.mending import counted, mend, values_of
from chatapp.llm.streams.tally import Tally

TEXTS = (
    st.text(st.sampled_from('ab\u2028\u2029\x85\x0b\x1c\ud83d🙂"\\[DONE]{}:\n\r\t ')) | st.text()
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
ENDS = st.sampled_from([b"\n", b"\r", b"\r\n"])


def through(body, size=None, *, has_events=True):
    tally = Tally()
    mender = Mender(tally) if has_events else Documents(tally)
    size = size or max(1, len(body))
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    items = [item for piece in pieces for item in mender.feed(piece)]
    return joined([*items, *mender.end()]), tally


def as_libraries_read(mended):
    """Split a stream as httpx does for litellm: at all line ends that `str.splitlines` knows."""
    return [line for line in mended.decode().splitlines() if line]


def sent(value, end=b"\n"):
    return b"data: " + json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + end * 2


@given(st.lists(VALUES, max_size=4), ENDS, st.integers(1, 30))
def test_each_event_is_one_line_that_says_the_same(values, end, size):
    body = b"".join(sent(value, end) for value in values)

    mended, tally = through(body, size)

    read = [json.loads(line.removeprefix("data: ")) for line in as_libraries_read(mended)]
    kept = [json.loads(sent(value)[6:]) for value in values]
    assert (read, tally.broken) == (kept, 0)
    assert b"[DONE]" not in mended


@given(st.lists(VALUES, max_size=4), st.integers(1, 30))
def test_each_document_is_one_line_that_says_the_same(values, size):
    documents = [sent(value)[6:].rstrip(b"\n") for value in values]

    mended, tally = through(b"\n".join(documents), size, has_events=False)

    read = [json.loads(line) for line in as_libraries_read(mended)]
    assert (read, tally.broken) == ([json.loads(each) for each in documents], 0)


@pytest.mark.parametrize(
    ("body", "mended"),
    [
        pytest.param(b"data: [DONE]\n\n", b"data: [DONE]\n\n\n", id="the end"),
        pytest.param(b"data:[DONE] \n", b"data: [DONE]\n\n", id="the end with another blank"),
        pytest.param(b"event: ping\nid: 1\n: hi\n\n", b"event: ping\nid: 1\n: hi\n\n", id="fields"),
        pytest.param(b": a\xe2\x80\xa8b\n\n", b": a b\n\n", id="a comment in two lines"),
        pytest.param(b'data: {"a":\ndata: 1}\n\n', b'data: {"a": 1}\n\n\n', id="JSON in two lines"),
        pytest.param(b'data: {"a": 1}\n', b'data: {"a": 1}\n\n', id="no blank line"),
        pytest.param(b'data: {"a": 1}', b'data: {"a": 1}\n\n', id="no end at all"),
        pytest.param(b"data: 1\ndata: 2\n", b"data: 1\n\ndata: 2\n\n", id="an event a line"),
        pytest.param(b'\xef\xbb\xbfdata: "a"\n', b'data: "a"\n\n', id="a mark before all"),
        pytest.param(b'data: "a\tb"\n', b'data: "a\\tb"\n\n', id="a control as it is"),
        pytest.param(b'{"a": 1}\n', b'data: {"a": 1}\n\n', id="no name of the field"),
        pytest.param(b"data: \n\ndata\n", b"\n", id="no data"),
        pytest.param(b"data: {no\ndata: 1\n\n", b"data: 1\n\n\n", id="no JSON before some"),
    ],
)
def test_a_stream_is_mended(body, mended):
    assert through(body)[0] == mended
    assert through(body, 1)[0] == mended


def test_what_is_no_character_is_replaced_and_counted():
    mended, tally = through(b'data: {"choices": [{"delta": {"content": "caf\xff"}}]}\n\n')

    assert json.loads(mended[6:])["choices"][0]["delta"]["content"] == "caf\ufffd"
    assert (tally.replaced, tally.text) == (1, 4)


@pytest.mark.parametrize(
    "body",
    [b"data: {nope\n\n", b'data: {"a": "\xff"\n\n', b"data: [[\n\n", b"data: ping\n\n"],
)
def test_what_is_no_json_is_counted_and_left_out(body):
    mended, tally = through(body)

    assert (mended.strip(), tally.broken) == (b"", 1)


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_an_event_is_there_as_soon_as_its_line_is(end):
    mender = Mender(Tally())

    assert mender.feed(b"data: 1" + end) == [Event(1, b"1")]


@pytest.mark.parametrize("body", [b"data: " + b"x" * 3_000, b"data: [\n" * 2_000])
def test_what_never_ends_is_given_up(body, monkeypatch):
    monkeypatch.setattr(splitting, "LONGEST", 2_000)
    monkeypatch.setattr(menders, "LONGEST", 2_000)

    with pytest.raises(ValueError, match="too long"):
        through(body, 100)


async def read(body, **headers):
    """Read a response that arrives byte by byte; return its bytes and the counts of its text."""

    async def pieces():
        for byte in body:
            yield bytes([byte])

    response = httpx.Response(200, headers=headers, content=pieces())
    told = []
    with counted(told.append):
        mend(response)
    return await response.aread(), told[0]


async def values_in(body):
    """Return the values that our own reader gets of a response that arrives byte by byte."""

    async def pieces():
        for byte in body:
            yield bytes([byte])

    response = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=pieces())
    with counted(lambda tally: None):
        mend(response)
    return [value async for values in values_of(response) for value in values]


ODD = [
    *(b'data: {"a":\ndata: 1}\n\n', b"data: {nope\n\n", b"data: [DONE]\n\n", b": no event\n\n"),
    *(b'data: "caf\xff"\n\n', b'{"a": 1}\n', b'data: 1\ndata: "b"\n\n', b"event: ping\n\n"),
]


@given(st.lists(st.sampled_from(ODD) | VALUES.map(sent), min_size=1, max_size=5))
async def test_our_own_reader_gets_the_values_that_libraries_read(events):
    body = b"".join(events)

    mended, _ = await read(body, **{"content-type": "text/event-stream"})

    lines = [line for line in as_libraries_read(mended) if line.startswith("data: ")]
    texts = [line.removeprefix("data: ") for line in lines]
    kept = [DONE if text == "[DONE]" else json.loads(text) for text in texts]
    assert await values_in(body) == kept


EVENT = 'data: {"choices": [{"delta": {"content": "a\u2028b"}}]}\n\n'.encode()
DOCUMENT = EVENT.removeprefix(b"data: ")


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        pytest.param(EVENT, {"content-type": "text/event-stream; charset=utf-8"}, id="events"),
        pytest.param(EVENT, {}, id="events without a type"),
        pytest.param(EVENT, {"content-type": "application/json"}, id="events of another type"),
        pytest.param(gzip.compress(EVENT), {"content-encoding": "gzip"}, id="compressed"),
        pytest.param(EVENT, {"content-encoding": "Identity"}, id="not compressed"),
        pytest.param(b": hi\n\n" + EVENT, {}, id="a comment first"),
        pytest.param(DOCUMENT, {"content-type": "application/x-ndjson"}, id="documents"),
        pytest.param(DOCUMENT, {"content-type": "text/event-stream"}, id="documents as events"),
    ],
)
async def test_a_stream_is_known_by_what_it_begins_with(body, headers):
    mended, tally = await read(body, **headers)

    line = as_libraries_read(mended)[-1]
    said = json.loads(line.removeprefix("data: "))["choices"][0]["delta"]["content"]
    assert (said, tally.text, tally.is_known) == ("a\u2028b", 3, True)


@pytest.mark.parametrize("body", [b"\x00\x00\x01\r\n\xff", b"", b"\n", b"[1,\r\n2]", b"<html>\r"])
async def test_anything_else_stays_as_it_is(body):
    mended, tally = await read(body)

    assert (mended, tally.is_known, tally.broken) == (body, False, 0)


async def test_pretty_json_still_says_the_same():
    value = {"choices": [{"message": {"content": "a"}}], "usage": None}

    mended, tally = await read(json.dumps(value, indent=1).encode())

    assert (json.loads(mended), tally.broken) == (value, 0)
