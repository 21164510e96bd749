"""The panel's head links to other turns; a bar for each shows its size, also in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.inspector.head import CACHE, TOKENS, links, near, strip
from history.services.explain.turn_figures import TurnFigures

SENT = st.integers(0, 10**9)
CACHED = st.none() | SENT


def turns(count):
    return [TurnFigures(number, 100 * number) for number in range(1, count + 1)]


@pytest.mark.parametrize(
    ("count", "shown", "drawn"),
    [
        pytest.param(4, 4, range(1, 5), id="few"),
        pytest.param(300, 300, range(241, 301), id="the last of many"),
        pytest.param(300, 1, range(1, 61), id="the first of many"),
        pytest.param(300, 100, range(71, 131), id="in the middle"),
    ],
)
def test_at_most_sixty_turns_are_drawn_and_the_shown_one_is_among_them(count, shown, drawn):
    bars = list(strip(shown, turns(count)).bars)

    assert [bar.figures.turn for bar in bars] == list(drawn)
    assert [bar.figures.turn for bar in bars if bar.is_shown] == [shown]


@pytest.mark.parametrize("count", [0, 1])
def test_one_turn_is_nothing_to_compare(count):
    assert not strip(1, turns(count))


def test_the_highest_bar_fills_its_band_and_the_cache_has_one_of_its_own():
    low, high = strip(2, [TurnFigures(1, 50), TurnFigures(2, 100, 25, 100)]).bars

    assert (low.height, low.y, low.cache) == (TOKENS / 2, TOKENS / 2, None)
    assert (high.height, high.y, high.cache) == (TOKENS, 0, CACHE / 4)


def test_what_is_drawn_is_said():
    drawn = strip(2, [TurnFigures(1, 50), TurnFigures(2, 1_000, 275, 1_100)])

    assert [bar.title for bar in drawn.bars] == [
        "turn 1: 50 tokens sent",
        "turn 2: 1,000 tokens sent, 25% read from cache",
    ]
    assert drawn.sentence == (
        "Turns 1\N{EN DASH}2: 50 to 1,000 tokens sent per turn;"
        " turn 2: 1,000 tokens sent, 25% read from cache"
    )


def test_a_turn_that_has_no_figures_yet_is_only_not_named():
    drawn = strip(3, turns(2))

    assert drawn.now == ""
    assert drawn.sentence == ("Turns 1\N{EN DASH}2: 100 to 200 tokens sent per turn")


@given(st.lists(st.tuples(SENT, CACHED), min_size=2, max_size=80), st.integers(1, 80))
def test_no_bar_leaves_the_drawing(figures, shown):
    rows = [TurnFigures(n, sent, cached, sent) for n, (sent, cached) in enumerate(figures, 1)]

    for bar in strip(shown, rows).bars:
        assert bar.x >= 0
        assert bar.x + bar.width <= 100
        assert 0 <= bar.y <= TOKENS
        assert bar.cache is None or 0 <= bar.cache <= CACHE


@pytest.mark.parametrize(
    ("shown", "last", "numbers"),
    [
        pytest.param(1, 1, [1], id="the only one"),
        pytest.param(2, 4, [1, 2, 3, 4], id="few"),
        pytest.param(50, 300, [1, 48, 49, 50, 51, 52, 300], id="many"),
        pytest.param(300, 300, [1, 298, 299, 300], id="the last of many"),
        pytest.param(5, 300, [1, 2, 3, 4, 5, 6, 7, 300], id="dots for one number"),
        pytest.param(0, 0, [], id="none"),
    ],
)
def test_the_shown_turn_its_neighbours_and_the_ends_are_offered(shown, last, numbers):
    assert near(shown, last) == numbers


def test_numbers_left_out_are_a_gap_and_turns_without_a_record_say_so():
    first, gap, *rest = links([1, 4, 5], turn=5, recorded=frozenset({1, 5}))

    assert (gap, [link.number for link in (first, *rest)]) == (None, [1, 4, 5])
    assert [link.is_recorded for link in (first, *rest)] == [True, False, True]
    assert [link.is_shown for link in (first, *rest)] == [False, False, True]
