"""The more answers are written at once, the larger are the portions of text, up to a limit."""

import pytest

from chatapp.live.pace import Pace


class Stream:
    pass


@pytest.mark.parametrize(
    ("count", "milliseconds"),
    [
        pytest.param(0, 30, id="nobody"),
        pytest.param(1, 30, id="one"),
        pytest.param(30, 30, id="a few"),
        pytest.param(50, 50, id="as many as can show each token"),
        pytest.param(120, 120, id="very many"),
        pytest.param(2_000, 130, id="too many"),
    ],
)
def test_many_answers_share_the_portions_of_a_second(count, milliseconds):
    pace, streams = Pace(), [Stream() for _ in range(count)]
    for stream in streams * 2:
        pace.enter(stream)

    assert round(1000 * pace.seconds) == milliseconds


def test_it_is_quick_again_after_the_others_have_ended():
    pace, streams = Pace(), [Stream() for _ in range(400)]
    for stream in streams:
        pace.enter(stream)
    for stream in streams[:200]:
        pace.leave(stream)
    del stream, streams  # As if the answers' tasks had ended.

    assert pace.seconds == 0.03
