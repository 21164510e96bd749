"""Dates and times are written in plain words."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from chatapp.templatetags.page import in_words

UTC = ZoneInfo("UTC")


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        (datetime(2026, 11, 18, 9, 5, tzinfo=UTC), "today at 10:05"),
        (datetime(2026, 11, 17, 23, 30, tzinfo=UTC), "today at 00:30"),
        (datetime(2026, 11, 17, 9, 5, tzinfo=UTC), "yesterday at 10:05"),
        (datetime(2026, 11, 16, 9, 5, tzinfo=UTC), "16 November"),
        (datetime(2025, 11, 18, 9, 5, tzinfo=UTC), "18 November 2025"),
        (datetime(2026, 11, 19, 9, 5, tzinfo=UTC), "today at 10:05"),
    ],
    ids=["today", "today where one is", "yesterday", "this year", "earlier", "a clock ahead"],
)
def test_a_moment_is_a_time_of_today_or_yesterday_a_day_or_a_date(monkeypatch, moment, said):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 18, 12, tzinfo=UTC))

    with timezone.override(ZoneInfo("Europe/Rome")):
        assert strip_tags(in_words(moment)) == said


def test_scripts_find_the_moment_to_write_its_time_as_the_readers_browser_does():
    moment = datetime(2026, 11, 18, 9, 5, tzinfo=UTC)

    assert f'datetime="{moment.isoformat()}"' in in_words(moment)
