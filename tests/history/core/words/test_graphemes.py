"""A text is cut only between characters as people see them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.transcript.clamp import clamped_text
from history.core.words.graphemes import LONGEST, end_before, start_after

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
THUMB = "\U0001f44d\U0001f3fd"
FLAG = "\U0001f1e9\U0001f1ea"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
ACCENT = "e\u0301"
PEACE = "\u270c\ufe0f"
KEYCAP = "1\ufe0f\u20e3"
CHARACTERS = st.sampled_from([FAMILY, THUMB, FLAG, ENGLAND, ACCENT, PEACE, KEYCAP, "a", " "])


@pytest.mark.parametrize(
    "whole",
    [
        pytest.param(FAMILY, id="joined"),
        pytest.param(THUMB, id="a skin tone"),
        pytest.param(FLAG, id="a flag"),
        pytest.param(ENGLAND, id="a flag of tags"),
        pytest.param(ACCENT, id="an accent"),
        pytest.param(PEACE, id="a variation selector"),
        pytest.param(KEYCAP, id="a keycap"),
    ],
)
def test_one_character_is_not_parted(whole):
    text = f"a{whole}b"
    end = 1 + len(whole)

    assert {end_before(text, place) for place in range(1, end)} == {1}
    assert {start_after(text, place) for place in range(2, end + 1)} == {end}


def test_flags_pair_from_the_first_of_them():
    text = FLAG * 3

    assert [end_before(text, place) for place in range(7)] == [0, 0, 2, 2, 4, 4, 6]
    assert [start_after(text, place) for place in range(7)] == [0, 2, 2, 4, 4, 6, 6]


def test_both_ends_of_a_text_are_places_to_cut():
    assert (end_before(ACCENT, 0), start_after(ACCENT, 2)) == (0, 2)
    assert (end_before("\u0301", 0), start_after("", 0)) == (0, 0)


def test_accents_without_end_are_cut():
    text = "e" + "\u0301" * 10 * LONGEST

    assert end_before(text, 5 * LONGEST) == start_after(text, 5 * LONGEST) == 5 * LONGEST


@given(st.lists(CHARACTERS, min_size=30, max_size=90), st.integers(10, 60))
def test_a_clamped_text_has_whole_characters_on_both_sides(characters, limit):
    text = "".join(characters)
    starts = [sum(map(len, characters[:n])) for n in range(len(characters) + 1)]

    short = clamped_text(text, limit, len)
    head, marker, tail = short.rsplit("\n", 2)

    assert (len(head) in starts, len(text) - len(tail) in starts) == (True, True)
    assert text == head + text[len(head) : len(text) - len(tail)] + tail
    assert marker == f"[... {len(text) - len(head) - len(tail)} characters left out ...]"
