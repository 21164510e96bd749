import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.plan.window import WindowSums
from tests.history.core.strategies import thorough


def test_what_is_left_is_free():
    window = WindowSums(1_000, 100, 50, 20, 300, 200)

    assert (window.sent, window.free, window.over, window.percent) == (470, 330, 0, 47.0)


def test_what_does_not_fit_is_over():
    window = WindowSums(1_000, 100, 50, 20, 900, 200)

    assert (window.free, window.over, window.percent) == (0, 270, 107.0)


def test_the_bar_shows_every_part():
    parts = WindowSums(1_000, 100, 50, 20, 300, 200).parts()

    assert [(part.name, part.tokens, part.percent) for part in parts] == [
        ("system_prompt", 100, 10.0),
        ("tool_schemas", 50, 5.0),
        ("summaries", 0, 0.0),
        ("injected", 20, 2.0),
        ("history", 300, 30.0),
        ("calibration", 0, 0.0),
        ("output_reserve", 200, 20.0),
        ("free", 330, 33.0),
    ]


def test_a_model_that_counts_more_has_a_part_of_its_own():
    window = WindowSums(1_000, 100, 50, 20, 300, 200, summaries=30, calibration=150)

    assert (window.counted, window.sent, window.free) == (500, 650, 150)
    assert [p.tokens for p in window.parts()] == [100, 50, 30, 20, 300, 150, 200, 150]


def test_a_model_that_counts_less_takes_it_from_the_history():
    window = WindowSums(1_000, 100, 50, 20, 300, 200, calibration=-94)

    assert (window.counted, window.sent, window.free) == (470, 376, 424)
    assert [p.tokens for p in window.parts()] == [100, 50, 0, 20, 206, 0, 200, 424]


@thorough
@given(st.builds(WindowSums, st.integers(1, 10**6), *[st.integers(0, 10**6)] * 7))
def test_the_parts_add_up_to_the_window(window):
    parts = window.parts()

    assert sum(part.tokens for part in parts) == window.context_window + window.over
    assert 0 in (window.free, window.over)
    assert sum(part.percent for part in parts) == pytest.approx(100, abs=0.05)
