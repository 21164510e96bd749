"""When something was, as briefly as it is clear."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from chatapp.templatetags.page import shortly

UTC = ZoneInfo("UTC")


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        (datetime(2026, 11, 18, 9, 5, tzinfo=UTC), "10:05"),
        (datetime(2026, 11, 17, 23, 30, tzinfo=UTC), "00:30"),
        (datetime(2026, 11, 17, 9, 5, tzinfo=UTC), "17 Nov"),
        (datetime(2025, 11, 18, 9, 5, tzinfo=UTC), "18 Nov 2025"),
    ],
    ids=["today", "today where one is", "this year", "earlier"],
)
def test_a_moment_is_a_time_a_day_or_a_date(monkeypatch, moment, said):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 18, 12, tzinfo=UTC))

    with timezone.override(ZoneInfo("Europe/Rome")):
        assert shortly(moment) == said
