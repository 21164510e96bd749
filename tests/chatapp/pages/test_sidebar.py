from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import RequestFactory

from chatapp.pages.sidebar import group_name, zone_of

TODAY = date(2026, 3, 15)


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (16, "Today"),  # A clock that is a little ahead.
        (15, "Today"),
        (14, "Yesterday"),
        (13, "Previous 7 days"),
        (8, "Previous 7 days"),
        (7, "Older"),
    ],
)
def test_conversations_are_grouped_by_day(day, name):
    assert group_name(datetime(2026, 3, day, 12, tzinfo=UTC), UTC, TODAY) == name


def test_the_day_is_the_readers_own():
    late = datetime(2026, 3, 14, 23, 30, tzinfo=UTC)

    assert group_name(late, ZoneInfo("Europe/Berlin"), TODAY) == "Today"
    assert group_name(late, UTC, TODAY) == "Yesterday"


@pytest.mark.parametrize(
    ("cookie", "zone"),
    [
        ("Europe%2FBerlin", "Europe/Berlin"),
        ("Mars%2FOlympus", "UTC"),
        ("..%2F..%2Fetc%2Fpasswd", "UTC"),
        ("", "UTC"),
    ],
)
def test_a_strange_time_zone_is_utc(cookie, zone):
    request = RequestFactory().get("/")
    request.COOKIES["timezone"] = cookie

    assert zone_of(request) == ZoneInfo(zone)
