"""What a stretch of segments costs: a call that repeats an id goes, and costs nothing."""

import pytest
from hypothesis import given

from history.core.segments import flat, group, segment
from history.core.sizes import onward
from tests.history.core import strategies
from tests.history.core.making import transcript
from tests.history.core.strategies import thorough

CALL = ["call c1 a x10", "result c1: x x100"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param(["user: a x5", "assistant: b x7"], [12, 7], id="plain"),
        pytest.param([*CALL, "user: a x5", *CALL], [115, 115, 110], id="the later one is out"),
        pytest.param(["user: a x5", *CALL, "user: b x5"], [120, 115, 5], id="an id of its own"),
    ],
)
def test_from_each_place_to_the_end(lines, expected):
    assert onward(group(transcript(*lines))) == expected


@thorough
@given(strategies.transcripts())
def test_it_is_what_is_left_when_all_before_it_is_gone(path):
    parts = tuple(part for part in group(path) if part.messages)
    sums = onward(parts)
    exact = [sum(p.tokens for p in segment(flat(parts[n:]))) for n in range(len(parts))]

    assert sums == [max(exact[n:]) for n in range(len(parts))]
