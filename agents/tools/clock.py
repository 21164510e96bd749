"""The current time, anywhere."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from agents.tools.tool import Tool, ToolError


def current_time(arguments: Mapping[str, Any]) -> str:
    return describe(datetime.now(UTC), str(arguments.get("timezone", "UTC")))


def describe(moment: datetime, timezone: str) -> str:
    """ISO 8601 for programs, then words for people."""
    try:
        local = moment.astimezone(ZoneInfo(timezone))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        name = repr(timezone[:80])
        raise ToolError(f"{name} is no IANA time zone, such as UTC or Europe/Paris.") from error
    words = f"{local:%A}, {local.day} {local:%B %Y}, {local:%H:%M}"
    return f"{local.isoformat(timespec='seconds')} ({words}, {timezone})"


CURRENT_TIME = Tool(
    name="current_time",
    description="The current date and time in a time zone.",
    run=current_time,
    parameters={
        "properties": {
            "timezone": {
                "type": "string",
                "description": "An IANA name such as Europe/Paris. UTC if left out.",
            }
        }
    },
)
