"""Read values from JSON of other programs: a value of the wrong type counts as absent."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from history.core.words.json_text import DEEPEST, is_too_deep
from history.services.imports.chats import Unreadable, Why

NOTHING: Mapping[str, Any] = {}
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
# A greater number is in a smaller unit: 1e11 seconds is the year 5138, 1e11 milliseconds is 1973.
LATEST = 1e11
UNITS = ("milliseconds", "microseconds", "nanoseconds")


def chat_in(value: object) -> Mapping[str, Any]:
    """Return a chat's object. Raise `Unreadable` if the value is not an object."""
    if not isinstance(value, Mapping):
        raise Unreadable(Why.NO_CHAT)
    return value


def message_in(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Unreadable(Why.NO_MESSAGE, where)
    return value


def mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else NOTHING


def sequence(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def moment(value: object) -> datetime | None:
    """Read a time: seconds since 1970, or smaller units down to nanoseconds, or an ISO date. Return
    None for anything else, and for a time that no chat can have.
    """
    try:
        return possible(_moment(value))
    except (ValueError, OverflowError, OSError):
        return None


def as_json(value: object) -> str:
    """Write a value as JSON. Raise `Unreadable` if its nesting is too deep."""
    if is_too_deep(value):
        raise Unreadable(Why.TOO_DEEP, most=DEEPEST)
    return json.dumps(value, ensure_ascii=False)


def possible(moment: datetime | None) -> datetime | None:
    """Return a time that a chat can have; None for any other time."""
    return moment if moment and moment > EARLIEST else None


def _moment(value: object) -> datetime | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return datetime.fromtimestamp(_seconds(value), tz=UTC)
    if isinstance(value, str) and value:
        time = datetime.fromisoformat(value)
        return time if time.tzinfo else time.replace(tzinfo=UTC)
    return None


def _seconds(value: float) -> float:
    for _ in UNITS:
        value = value / 1000 if value > LATEST else value
    return value
