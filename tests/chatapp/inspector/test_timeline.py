"""The bars of a timeline have one scale, and none extends beyond it."""

from hypothesis import given
from hypothesis import strategies as st

from chatapp.inspector.timeline import drawn
from history.services.explain.timeline import Phase, Timeline

MOMENTS = st.floats(-1_000, 100_000, allow_nan=False)
LENGTHS = st.floats(0, 100_000, allow_nan=False)


def bars(*phases):
    return [bar for _, group in drawn(Timeline((("", phases),))).groups for bar in group]


def test_the_whole_is_as_long_as_the_last_phase_ends():
    found = bars(Phase("queue", "queue", 0, 200), Phase("plan", "plan", 200, 800))

    assert [(bar.x, bar.width) for bar in found] == [(0, 20), (20, 80)]


def test_what_is_too_short_to_be_seen_is_drawn_all_the_same():
    queue, _ = bars(Phase("queue", "queue", 0, 1), Phase("decode", "decode", 1, 100_000))

    assert queue.width == 0.6


def test_what_was_not_recorded_has_no_bar():
    assert [bar.x for bar in bars(Phase("queue", "queue"))] == [None]


@given(st.lists(st.tuples(MOMENTS, LENGTHS), min_size=1, max_size=6))
def test_no_bar_leaves_the_drawing(times):
    for bar in bars(*(Phase("phase", "plan", start, length) for start, length in times)):
        assert bar.x is None or (bar.x >= 0 and bar.x + bar.width <= 100.01)
