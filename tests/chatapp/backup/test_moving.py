"""Two tables have the same content if every row is in both, in whatever order."""

from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.backup.moving import Content

ROWS = st.lists(st.tuples(st.integers(), st.text(), st.none() | st.booleans()), max_size=6)
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


def content(rows):
    return sum(rows, Content())


@given(ROWS, ROWS)
def test_content_is_equal_only_for_the_same_rows(some, others):
    by_text = {"key": repr}
    assert (content(some) == content(others)) == (
        sorted(some, **by_text) == sorted(others, **by_text)
    )
    assert content(some + others) == content(others + some)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, id="object"),
        pytest.param(NOON, NOON.astimezone(timezone(timedelta(hours=2))), id="time"),
        pytest.param(b"\x00\xff", memoryview(b"\x00\xff"), id="bytes"),
        pytest.param(UUID(int=7), UUID(int=7), id="uuid"),
    ],
)
def test_a_value_is_the_same_however_a_database_gives_it(one, other):
    assert content([(one,)]) == content([(other,)])
    assert content([(one,)]) != content([(one, None)])
