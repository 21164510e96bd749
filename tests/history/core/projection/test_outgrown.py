"""An answer whose steps outgrow the window, while its prefix is to stay the same."""

from itertools import pairwise

import pytest

from history.core.plan.neutral_request import openai_messages
from history.core.projection.invariants import check
from tests.history.core.making import requested, transcript

STABLE = {"policy": "all", "context_window": 2_600, "output_reserve": 100, "prefix": "stable"}
STEPS = 30


def steps(size, **values):
    """Project each request of an answer whose results have this many tokens, as the app does."""
    lines, settled = ["user: Count."], None
    for number in range(STEPS):
        messages = transcript(*lines)
        projection = requested(messages, {**STABLE, **values}, settled=settled)
        check(messages, projection)
        yield projection
        settled = projection.plan.settled
        words = "one " * ((3 * size) // 4)
        lines += [f"call c{number} look", f"result c{number}: {words} x{size + 4}"]


@pytest.mark.parametrize(("size", "most"), [(90, 6), (200, 11)])
def test_it_is_seldom_decided_anew_because_each_time_makes_room(size, most):
    requests = list(steps(size))

    assert len({projection.plan.settled for projection in requests}) <= most
    for before, after in pairwise(requests):
        was, now = (openai_messages(projection.messages) for projection in (before, after))
        assert before.plan.settled != after.plan.settled or now[: len(was)] == was


def test_a_free_prefix_leaves_no_room_unused():
    *_, last = steps(200, prefix="free")

    assert last.plan.window.free < 0.1 * last.plan.window.context_window
