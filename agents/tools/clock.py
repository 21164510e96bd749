"""The current time, anywhere."""

from datetime import UTC, datetime
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from agents.tools.tool import ToolError, tool

ZONE = "An IANA name such as Europe/Paris. Default: UTC."


def current_time(timezone: Annotated[str, Field(description=ZONE)] = "UTC") -> str:
    """The current date and time in a time zone."""
    return describe(datetime.now(UTC), timezone)


def describe(moment: datetime, timezone: str) -> str:
    """Write a time in ISO 8601 for programs, then in words for people."""
    try:
        local = moment.astimezone(ZoneInfo(timezone))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        name = repr(timezone[:80])
        raise ToolError(f"{name} is not an IANA time zone such as UTC or Europe/Paris.") from error
    words = f"{local:%A}, {local.day} {local:%B %Y}, {local:%H:%M}"
    return f"{local.isoformat(timespec='seconds')} ({words}, {timezone})"


CURRENT_TIME = tool(current_time)
