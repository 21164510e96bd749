"""A line in the map shows up to where a request equals the one before it."""

import pytest

from chatapp.inspector.map.zone import CacheRow, InjectedText, with_cache_line
from history.core.money.prefix import Prefix, Spot
from history.core.plan.verdict import Verdict
from history.core.words.facts import Rule, fact
from history.services.explain.cost.previous import TRIM, Cause, SharedWithPrevious
from history.services.explain.map.rows import FoldRow, InjectedRow, MessageRow, StartRow


def text(label):
    return InjectedText(InjectedRow(Verdict.INJECTED, label, 10, ""), "")


def message(position):
    fields = {"turn": 1, "starts_turn": False, "who": "you", "text": "", "reason": ""}
    return MessageRow(Verdict.KEPT, position, tokens=10, sent=10, **fields)


ROWS = [
    text("system prompt"),
    text("tool schemas"),
    text("checkpoint 1"),
    FoldRow((Verdict.TRIMMED,), 0, 9, "", 100, ""),
    StartRow("window starts here"),
    message(10),
    message(11),
    text("date"),
    message(12),
]


MOVED = fact(Rule.WINDOW_MOVED, by="turn", was=4, now=5)


def common(spot, difference=None, resent=0):
    cause = Cause(TRIM, is_ours=True) if difference else None
    return SharedWithPrevious(8, 1, 100, Prefix(100, difference, Spot(3), spot), cause, resent)


@pytest.mark.parametrize(
    ("spot", "place"),
    [
        pytest.param(Spot(None, "system prompt"), 0, id="the prompt: nothing is as it was"),
        pytest.param(Spot(None, "tool schemas"), 0, id="the tools stand first of all"),
        pytest.param(Spot(None, "checkpoint 1"), 2, id="a summary"),
        pytest.param(Spot(4), 3, id="inside a folded run"),
        pytest.param(Spot(10), 5, id="the first message, behind the line of the window"),
        pytest.param(Spot(12), 8, id="a later message"),
        pytest.param(Spot(None, "date"), 7, id="a text before the current turn"),
        pytest.param(None, 9, id="all of it is shared"),
    ],
)
def test_the_line_stands_before_what_is_not_shared(spot, place):
    rows = with_cache_line(ROWS, common(spot))

    assert [n for n, row in enumerate(rows) if isinstance(row, CacheRow)] == [place]
    assert [row for row in rows if not isinstance(row, CacheRow)] == ROWS


def test_there_is_none_for_the_first_request():
    assert with_cache_line(ROWS, None) == ROWS


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (common(None), "Cache: unchanged since turn 8, step 1"),
        (
            common(Spot(10)),
            "Cache: everything above is unchanged since turn 8, step 1; new from here on",
        ),
        (
            common(Spot(10), MOVED, resent=90),
            "Cache: everything above is unchanged since turn 8, step 1. From here 90 tokens "
            "must be re-read because the window's start moved from turn 4 to turn 5.",
        ),
        (
            common(Spot(10), MOVED),
            "Cache: everything above is unchanged since turn 8, step 1; new from here on, because "
            "the window's start moved from turn 4 to turn 5.",
        ),
    ],
    ids=["the same", "it goes on", "they part", "they part, and nothing is sent again"],
)
def test_the_line_names_the_first_difference_and_its_cause(found, sentence):
    assert line_of(with_cache_line(ROWS, found)) == sentence


def line_of(rows):
    (line,) = (row for row in rows if isinstance(row, CacheRow))
    return line.sentence


def test_the_line_tells_the_cost_of_re_reading():
    found = common(Spot(10), MOVED, resent=90)

    told = line_of(with_cache_line(ROWS, found, "$0.02"))

    due = " Of this request's cost, $0.02 is due to that."
    assert told == line_of(with_cache_line(ROWS, found)) + due
