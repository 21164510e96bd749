from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.inspector.window import bars
from history.core.plan.window import WindowSums

TOKENS = st.integers(0, 100_000)


def window(system=100, tools=20, history=80, reserve=200, whole=1_000):
    return WindowSums(whole, system, tools, 0, history, reserve)


def test_the_window_is_what_is_sent_reserved_and_free():
    drawn = [(r.name, r.tokens, r.x, r.width) for r in bars(window()).window]

    assert drawn == [
        ("sent", 200, 0.0, 20.0),
        ("output_reserve", 200, 20.0, 20.0),
        ("free", 600, 40.0, 60.0),
    ]


def test_what_lies_beyond_a_token_budget_is_drawn_after_what_is_free():
    drawn = [(r.name, r.tokens, r.x, r.width) for r in bars(window(), beyond=450).window]

    assert drawn[2:] == [("free", 150, 40.0, 15.0), ("beyond_budget", 450, 55.0, 45.0)]


def test_what_is_sent_is_drawn_again_over_the_whole_width():
    drawn = [(r.name, r.x, r.width) for r in bars(window()).sent]

    assert drawn == [
        ("system_prompt", 0.0, 50.0),
        ("tool_schemas", 50.0, 10.0),
        ("summaries", 60.0, 0.0),
        ("injected", 60.0, 0.0),
        ("history", 60.0, 40.0),
        ("calibration", 100.0, 0.0),
    ]


@pytest.mark.parametrize(
    ("calibration", "parts"),
    [
        pytest.param(50, [100, 20, 30, 0, 80, 50], id="the model counts more"),
        pytest.param(-30, [100, 20, 30, 0, 50, 0], id="the model counts fewer"),
    ],
)
def test_summaries_and_calibration_have_parts_of_their_own(calibration, parts):
    sums = replace(window(), summaries=30, calibration=calibration)

    assert [r.tokens for r in bars(sums).sent] == parts
    assert sum(r.width for r in bars(sums).sent) == pytest.approx(100, abs=0.05)


@pytest.mark.parametrize(
    ("reserve", "limit"),
    [pytest.param(800, None, id="just full"), pytest.param(1_800, 50.0, id="twice the window")],
)
def test_a_line_marks_where_the_window_ends(reserve, limit):
    assert bars(window(reserve=reserve)).limit == limit


def test_an_empty_request_has_no_width():
    assert {r.width for r in bars(window(system=0, tools=0, history=0)).sent} == {0}


@given(TOKENS, TOKENS, TOKENS, TOKENS, st.integers(512, 200_000))
def test_a_bar_is_filled_from_end_to_end(system, tools, history, reserve, whole):
    drawn = bars(window(system, tools, history, reserve, whole)).window

    assert drawn[0].x == 0
    assert drawn[-1].x + drawn[-1].width == pytest.approx(100, abs=0.05)
