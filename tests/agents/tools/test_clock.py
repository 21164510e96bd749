"""The tool for the current time answers in a form for programs and in words for people."""

import re
from datetime import UTC, datetime

import pytest

from agents.tools.clock import current_time, describe
from agents.tools.tool import ToolError

MOMENT = datetime(2026, 3, 5, 23, 4, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("timezone", "text"),
    [
        ("UTC", "2026-03-05T23:04:09+00:00 (Thursday, 5 March 2026, 23:04, UTC)"),
        ("Asia/Tokyo", "2026-03-06T08:04:09+09:00 (Friday, 6 March 2026, 08:04, Asia/Tokyo)"),
    ],
)
def test_a_moment_in_a_time_zone(timezone, text):
    assert describe(MOMENT, timezone) == text


@pytest.mark.parametrize("timezone", ["Mars", "", "../etc/passwd", "America", "\x00", "x" * 999])
def test_an_unknown_time_zone_is_refused(timezone):
    with pytest.raises(ToolError, match="is not an IANA time zone"):
        describe(MOMENT, timezone)


def test_without_a_time_zone_it_is_utc():
    assert re.fullmatch(r"\S+\+00:00 \(.+, UTC\)", current_time())
