"""The cost of a run of segments, in tokens."""

import pytest

from history.core.draft.turn_sizes import onward
from history.core.transcript.segments import segment
from tests.history.core.making import transcript

CALL = ["call c1 a x10", "result c1: x x100"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param(["user: a x5", "assistant: b x7"], [12, 7], id="plain"),
        pytest.param(["user: a x5", *CALL, "user: b x5"], [120, 115, 5], id="a pair is one"),
        pytest.param([*CALL, "user: a x5", *CALL], [115, 5, 0, 0], id="what repeats an id"),
    ],
)
def test_from_each_place_to_the_end(lines, expected):
    assert onward(segment(transcript(*lines))) == expected
