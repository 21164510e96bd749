"""A body in pieces can be rebuilt exactly, and stores no text that is stored elsewhere."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.wire.pieces import in_pieces, packed, unpacked

LONG = "A text that is long enough to be worth a name of its own."
TEXTS = st.dictionaries(
    st.tuples(st.integers(0, 9) | st.sampled_from(["abc", "def"]), st.integers(0, 2)),
    st.text(max_size=60),
    max_size=6,
)


@given(texts=TEXTS, body=st.binary(max_size=200), sample=st.binary(max_size=40), data=st.data())
def test_every_body_comes_back(texts, body, sample, data):
    held = data.draw(st.lists(st.sampled_from(sorted(texts, key=str)), max_size=8)) if texts else []
    whole = body + "".join(json.dumps(texts[name]) for name in held).encode()

    pieces = unpacked(packed(in_pieces(whole, texts), sample), sample)

    assert pieces.body(texts) == whole


@pytest.mark.parametrize("ascii_only", [True, False])
def test_texts_are_named_in_either_way_of_writing(ascii_only):
    texts = {(4, 0): f"{LONG} “Ö”\n", (5, 1): LONG}
    body = json.dumps(list(texts.values()), ensure_ascii=ascii_only).encode()

    assert in_pieces(body, texts).pieces == ('["', (4, 0), '", "', (5, 1), '"]')


def test_texts_are_found_in_another_order_too():
    texts = {(0, 0): "The question that was asked first", (1, 0): "The answer that came after it"}
    system = {("abc", 0): "The prompt that stands before all of them"}
    body = json.dumps({"contents": list(texts.values()), "system": list(system.values())}).encode()

    assert in_pieces(body, {**system, **texts}).names == {*texts, *system}


def test_a_text_that_is_stored_in_two_places_is_named_once():
    """A message may repeat the system prompt: then the text has two names, of different types."""
    pieces = in_pieces(json.dumps([LONG]).encode(), {("abc", 0): LONG, (3, 0): LONG})

    assert len(pieces.names) == 1
    assert pieces.body({("abc", 0): LONG, (3, 0): LONG}) == json.dumps([LONG]).encode()


def test_what_is_short_stays_where_it_is():
    assert in_pieces(b'["Hi"]', {(0, 0): "Hi"}).pieces == ('["Hi"]',)


def test_a_missing_text_is_an_error_and_not_a_gap():
    pieces = in_pieces(LONG.encode(), {(0, 0): LONG})

    with pytest.raises(KeyError):
        pieces.body({})
