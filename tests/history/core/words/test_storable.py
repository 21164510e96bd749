"""Text that no database can store is refused from people, and repaired from models."""

from math import inf

import pytest

from history.core.words.storable import storable, storing_fault


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        pytest.param({"a": ["b", 1, None]}, "", id="texts that any database holds"),
        pytest.param(
            [{"a": "\x00"}],
            "contains a NUL character; remove it",
            id="a NUL",
        ),
        pytest.param(
            {"\ud800": 1}, "contains an invalid character; remove it", id="half a character"
        ),
        pytest.param(
            [1.5, {"a": inf}], "contains a number that is not finite; remove it", id="inf"
        ),
    ],
)
def test_what_no_database_holds_are_found_wherever_they_stand(value, fault):
    assert storing_fault(value) == fault


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("plain", "plain", id="nothing"),
        pytest.param("a\0b", "a\ufffdb", id="a NUL"),
        pytest.param("a\ud83d", "a\ufffd", id="half a character"),
        pytest.param("\ud83d\ude00", "\U0001f600", id="two halves of one"),
        pytest.param("\u00e9\0", "\u00e9\ufffd", id="a NUL beside letters"),
    ],
)
def test_what_no_database_holds_is_made_visible(text, kept):
    assert storable(text) == kept
