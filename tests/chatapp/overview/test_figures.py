from decimal import Decimal

import pytest

from chatapp.overview.figures import Figures
from chatapp.overview.speed import duration

CENT = Decimal("0.01")


@pytest.mark.parametrize(
    ("figures", "text"),
    [
        pytest.param(Figures(), "—", id="nothing was asked"),
        pytest.param(Figures(requests=2), "free", id="free"),
        pytest.param(Figures(requests=2, unpriced=1), "—", id="free in part, else unknown"),
        pytest.param(Figures(requests=2, money=CENT), "$0.0100", id="known"),
        pytest.param(Figures(requests=2, unpriced=2), "—", id="unknown"),
        pytest.param(Figures(requests=2, unpriced=1, money=CENT), "≥ $0.0100", id="in part"),
        pytest.param(Figures(requests=2, unreported=1, money=CENT), "≥ $0.0100", id="cut short"),
        pytest.param(Figures(requests=1, unreported=1), "—", id="only cut short"),
    ],
)
def test_an_unknown_cost_is_never_nothing(figures, text):
    assert figures.cost_text == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        pytest.param(0, 0, "—", id="of nothing"),
        pytest.param(0, 1_000, "0%", id="none"),
        pytest.param(1, 1_000, "under 1%", id="next to none"),
        pytest.param(456, 1_000, "46%", id="rounded"),
        pytest.param(1_000, 1_000, "100%", id="all"),
    ],
)
def test_shares_are_percent(part, whole, text):
    assert Figures(cached=part, cacheable=whole).cache_text == text
    assert Figures(left_out=part, there=whole).left_out_text == text


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (None, "—"),
        (0.4, "0 ms"),
        (99, "99 ms"),
        (340, "0.34 s"),
        (2_140, "2.1 s"),
        (72_600, "73 s"),
    ],
)
def test_a_duration_has_about_two_digits(milliseconds, text):
    assert duration(milliseconds) == text


def test_figures_add_up():
    one = Figures(requests=1, tokens=100, money=CENT, cached=10, cacheable=90, failures=1)
    other = Figures(requests=2, unpriced=1, cached=5, cacheable=10, there=7, left_out=3)

    assert one + other == Figures(3, 100, CENT, 1, 15, 100, 7, 3, 1)
