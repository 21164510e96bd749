"""The chart's columns, and the day on which it begins."""

import re
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.overview.figures import Figures
from chatapp.overview.forms import OverviewQuery
from chatapp.overview.period import Period
from chatapp.overview.sums.trend import PeriodFigures, first_drawn
from history.models import CallFigures
from tests import data
from tests.chatapp.overview.conftest import periods
from tests.chatapp.overview.test_views import text_of
from tests.factories import make_conversation
from tests.query_plans import query_plan

BERLIN = ZoneInfo("Europe/Berlin")


def days_with(counts):
    return [PeriodFigures(date(2026, 11, 1), Figures(requests=count)) for count in counts]


@pytest.mark.parametrize(
    ("counts", "first"),
    [
        pytest.param([0] * 20 + [1] * 10, 20, id="from the first with a request"),
        pytest.param([0] * 29 + [1], 23, id="at least a week, so that a bar is not alone"),
        pytest.param([0, 1] + [0] * 28, 1, id="to today, with the gaps"),
        pytest.param([1, 1], 0, id="fewer than a week"),
        pytest.param([0] * 30, 0, id="nothing"),
    ],
)
def test_what_was_before_any_request_is_not_drawn(counts, first):
    assert first_drawn(days_with(counts)) == first


@pytest.mark.parametrize(
    ("query", "ago", "said"),
    [
        pytest.param(
            "", [9], "Not drawn, because they are empty: 20 Oct 2026 to 8 Nov 2026.", id="later"
        ),
        pytest.param("", [28], "Not drawn, because it is empty: 20 Oct 2026.", id="one day"),
        pytest.param(
            "", [0], "Not drawn, because they are empty: 20 Oct 2026 to 11 Nov 2026.", id="a week"
        ),
        pytest.param("", [29], "", id="all are drawn"),
        pytest.param("?days=7", [3, 40], "", id="days before the period are not spoken of"),
        pytest.param(
            "?days=90", [9, 200], "they are empty: 21 Aug 2026 to 8 Nov 2026.", id="only its own"
        ),
        pytest.param(
            "?failures=on",
            [9, 20],
            "they are empty: 20 Oct 2026 to 8 Nov 2026.",
            id="requests, no failure",
        ),
        pytest.param("?days=365", [3], "Not drawn, because they are empty: ", id="weeks"),
    ],
)
def test_the_page_says_which_days_it_does_not_draw(boss, call, rome, query, ago, said):
    for days in ago:
        failed = query == "?failures=on" and days == min(ago)
        call(rome, days=days, **({"status": "failed"} if failed else {}))
    page = boss.get(f"/inspect/{query}")
    caption = re.findall("Not drawn,.*", page.text)
    text = text_of(page).replace(" .", ".")

    assert said in text
    # Each day is a time, which the page's script writes as all others, in the reader's language.
    assert all(line.count("<time datetime=") == 1 + ("they are" in line) for line in caption)
    assert ("Not drawn" in text) is bool(said)
    assert "had no request" not in text


def test_only_the_newest_days_are_drawn(boss, call, rome):
    call(rome, days=9)
    page = boss.get("/inspect/")

    assert page.text.count("data-drawn") == 10
    assert page.text.count("data-start=") == 30


def test_nothing_is_not_drawn_at_all(boss):
    assert 'id="chart"' not in boss.get("/inspect/").text


def test_a_day_begins_at_midnight_also_when_clocks_change(call, rome):
    """Clocks go back on 25 October, so that day has 25 hours."""
    for moment in ("24 21:59", "24 22:00", "25 22:59", "25 23:00"):
        at = datetime.strptime(f"2026-10-{moment} +0000", "%Y-%m-%d %H:%M %z")
        made = call(rome)
        CallFigures.objects.filter(pk=made.pk).update(created=at)
    wanted = OverviewQuery(Period(datetime(2026, 10, 24, tzinfo=BERLIN), BERLIN, 30))

    assert [day.figures.requests for day in periods(wanted)[:4]] == [1, 2, 1, 0]


@pytest.mark.skipif(bool(data.server()), reason="PostgreSQL chooses by statistics of many rows")
@pytest.mark.parametrize("query", ["", "?sort=-cost", "?by=person", "?agent=demo"])
def test_what_was_before_the_period_is_not_even_read(boss, call, agent, query):
    call(make_conversation(agent))
    with CaptureQueriesContext(connection) as queries:
        boss.get(f"/inspect/{query}")

    summing = [each["sql"] for each in queries if '"created" >=' in each["sql"]]
    steps = [step for sql in summing for step in query_plan(sql)]
    assert len(steps) >= len(summing) > 3
    assert [step for step in steps if step.startswith("SCAN")] == []
