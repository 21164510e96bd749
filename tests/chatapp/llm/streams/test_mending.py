"""What is mended says the same, whatever it holds and wherever it is parted."""

import json

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.llm.streams import mending, splitting
from chatapp.llm.streams.mending import Mender, counted, mend
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
    mender = Mender(tally, has_events=has_events)
    size = size or max(1, len(body))
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join([*map(mender.feed, pieces), mender.end()]), tally


def as_libraries_read(mended):
    """Part it as httpx does for litellm: at everything that `str.splitlines` takes for an end."""
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
        pytest.param(b"data: [DONE]\n\n", b"data: [DONE]\n\n", id="the end"),
        pytest.param(b"data:[DONE]\n\n", b"data: [DONE]\n\n", id="the end without a blank"),
        pytest.param(b"event: ping\nid: 1\n: hi\n\n", b"event: ping\nid: 1\n: hi\n\n", id="fields"),
        pytest.param(b": a\xe2\x80\xa8b\n\n", b": a b\n\n", id="a comment in two lines"),
        pytest.param(b'data: {"a":\ndata: 1}\n\n', b'data: {"a": 1}\n\n', id="JSON in two lines"),
        pytest.param(b'data: {"a": 1}\n', b'data: {"a": 1}\n', id="no blank line at the end"),
        pytest.param(b'data: {"a": 1}', b'data: {"a": 1}\n', id="no end at all"),
        pytest.param(b"data: 1\ndata: 2\n\n", b"data: 1\ndata: 2\n\n", id="an event a line"),
        pytest.param(b'\xef\xbb\xbfdata: "a"\n\n', b'data: "a"\n\n', id="a mark before all"),
        pytest.param(b'data: "a\tb"\n\n', b'data: "a\\tb"\n\n', id="a control as it is"),
        pytest.param(b"data: {nope\n\n", b"data: {nope\n\n", id="no JSON"),
        pytest.param(b"data\n\n", b"data: \n\n", id="a name alone"),
    ],
)
def test_a_stream_is_mended(body, mended):
    assert through(body)[0] == mended
    assert through(body, 1)[0] == mended


@pytest.mark.parametrize("body", [b"data: {nope\n\n", b'data: {"a": "\xff"\n\n', b"data: [[\n\n"])
def test_what_is_no_json_is_counted(body):
    assert through(body)[1].broken == 1


@pytest.mark.parametrize("body", [b"data: " + b"x" * 3_000, b"data: [\n" * 2_000])
def test_what_never_ends_is_given_up(body, monkeypatch):
    monkeypatch.setattr(splitting, "LONGEST", 2_000)
    monkeypatch.setattr(mending, "LONGEST", 2_000)

    with pytest.raises(ValueError, match="too long"):
        through(body, 100)


@pytest.mark.parametrize(
    ("headers", "status", "is_counted"),
    [
        ({"content-type": "text/event-stream; charset=utf-8"}, 200, True),
        ({"content-type": "application/x-ndjson"}, 200, True),
        ({"content-type": "application/vnd.amazon.eventstream"}, 200, False),
        ({"content-type": "text/event-stream", "content-encoding": "gzip"}, 200, False),
        ({"content-type": "text/event-stream"}, 500, False),
        ({}, 200, False),
    ],
)
def test_a_response_is_counted_if_its_bytes_say_anything(headers, status, is_counted):
    response = httpx.Response(status, headers=headers, stream=httpx.ByteStream(b""))
    told = []

    with counted(told.append):
        mend(response)

    assert [tally is not None for tally in told] == [is_counted]
