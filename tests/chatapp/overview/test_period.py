"""The overview of the days between two dates."""

import re
from datetime import UTC, date, datetime
from html import unescape
from zoneinfo import ZoneInfo

import pytest

from chatapp.overview.forms import OverviewQuery
from chatapp.overview.period import Dates, Period
from history.models import GenerationStatus
from tests.chatapp.overview.conftest import periods, whole
from tests.chatapp.overview.test_views import links, text_of

TODAY = date(2026, 11, 18)
OF_THE_PARTS = re.compile(r'<tr data-start="([^"]*)".*?<a href="([^"]*)"', re.DOTALL)


@pytest.fixture
def ten_days(call, rome):
    """Make a request on each of the last ten days, which fails on every second of them."""
    for days in range(10):
        status = GenerationStatus.FAILED if days % 2 else GenerationStatus.DONE
        call(rome, days=days, status=status)


def between(first, last, zone=UTC):
    return Period.between(Dates.of(first, last), zone)


def test_only_what_is_between_the_dates_counts(clock, ten_days):
    """Both dates belong to the period."""
    wanted = OverviewQuery(between(date(2026, 11, 10), date(2026, 11, 13)))
    parts = periods(wanted)

    assert [part.start.day for part in parts] == [10, 11, 12, 13]
    assert [part.figures.requests for part in parts] == [1, 1, 1, 1]
    assert (whole(wanted).requests, whole(wanted).failures) == (4, 2)


@pytest.mark.parametrize(
    ("first", "last", "dates"),
    [
        pytest.param(None, None, (date(2026, 10, 20), TODAY), id="none: as many as usual"),
        pytest.param(date(2026, 11, 1), None, (date(2026, 11, 1), TODAY), id="until today"),
        pytest.param(None, date(2026, 9, 30), (date(2026, 9, 1), date(2026, 9, 30)), id="before"),
        pytest.param(date(2026, 11, 1), date(2027, 1, 1), (date(2026, 11, 1), TODAY), id="later"),
    ],
)
def test_a_date_that_is_missing_or_to_come_is_completed(clock, first, last, dates):
    assert Dates.of(first, last) == dates


def test_many_days_are_drawn_by_weeks_from_the_first(clock):
    period = between(date(2026, 6, 3), date(2026, 9, 15))
    parts = list(period.parts)

    assert parts[:2] == [date(2026, 6, 3), date(2026, 6, 10)]
    assert period.dates_of(parts[-1]) == (date(2026, 9, 9), date(2026, 9, 15))


def test_days_with_a_change_of_the_clock_are_whole(clock):
    """In Berlin, 25 October 2026 has 25 hours."""
    zone = ZoneInfo("Europe/Berlin")
    period = between(date(2026, 10, 25), date(2026, 10, 25), zone)

    assert period.since.astimezone(UTC) == datetime(2026, 10, 24, 22, tzinfo=UTC)
    assert period.until.astimezone(UTC) == datetime(2026, 10, 25, 23, tzinfo=UTC)


def test_each_day_of_the_table_leads_to_the_overview_of_that_day(boss, ten_days):
    month = boss.get("/inspect/")
    ways = dict(OF_THE_PARTS.findall(month.text))
    day = boss.get("/inspect/" + unescape(ways["2026-11-15"]))

    assert "start=2026-11-15&amp;end=2026-11-15" in ways["2026-11-15"]
    assert "Requests 1 " in text_of(day)
    assert 'value="2026-11-15"' in day.text
    assert [page.text.count('"aside">so far<') for page in (month, day)] == [1, 0]


def test_links_keep_the_dates(boss, ten_days):
    page = boss.get("/inspect/?start=2026-11-10&end=2026-11-13")

    assert "?start=2026-11-10&amp;end=2026-11-13&amp;sort=-tokens" in links(page)
    assert "/inspect/failures?start=2026-11-10&amp;end=2026-11-13" in links(page)


def test_a_number_of_days_drops_the_dates(boss, ten_days):
    page = boss.get("/inspect/?days=7&start=2026-11-10&end=2026-11-11")

    assert "Requests 7 " in text_of(page)
    assert not [link for link in links(page) if "end=2026-11-11" in link]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("start=2026-11-19", "“2026-11-19” can't be the first day."),
        ("start=2026-11-12&end=2026-11-10", "“2026-11-12” can't be the first day."),
        ("start=2001-01-01", "“2001-01-01” can't be the first day."),
        ("start=0001-01-01&end=9999-12-31", "“0001-01-01” can't be the first day."),
        ("end=0001-01-01", "“0001-01-01” can't be the last day."),
        ("start=x&end=y", "“y” can't be the last day."),
    ],
)
def test_dates_that_make_no_period_are_told_beside_their_field(boss, ten_days, query, said):
    page = boss.get(f"/inspect/?{query}")
    file = boss.get(f"/inspect/figures.csv?{query}")

    assert page.status_code == file.status_code == 422
    assert said in unescape(page.text)
    assert said in file.text
