"""Errors, token counters and a list of changes, for reading OpenAI's chat format."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from history.core.transcript.clamp import FRAME, Count, approximate
from history.core.transcript.messages import ToolCall
from history.core.words.wording import number, printable

PIXELS = 28  # A square with sides of so many pixels costs one token, about as Claude counts.
UNKNOWN_SIDE = 1_024  # The assumed side in pixels of an image whose size is unknown.


class FormatError(ValueError):
    """The input cannot be read. The message says where, what is wrong, and what to do."""


@dataclass(frozen=True, slots=True)
class Counters:
    """Token counters: for a role with its text and calls, for a call's name and arguments, for a
    bare text, and for an image's width and height.
    """

    message: Callable[[str, str, Sequence[ToolCall]], int]
    call: Callable[[str, str], int]
    text: Callable[[str], int]
    image: Callable[[int, int], int]


def counters_of(count: Count) -> Counters:
    """Build all counters from the counter of bare texts; images are counted by their area."""

    def call(name: str, arguments: str) -> int:
        return FRAME - 1 + count(name) + count(arguments)

    def message(role: str, text: str, calls: Sequence[ToolCall]) -> int:
        return FRAME + count(text) + sum(call(each.name, each.arguments) for each in calls)

    def image(width: int, height: int) -> int:
        sides = (width, height) if width > 0 and height > 0 else (UNKNOWN_SIDE, UNKNOWN_SIDE)
        across, down = (-(-side // PIXELS) for side in sides)
        return across * down

    return Counters(message, call, count, image)


APPROXIMATE = counters_of(approximate)


class Adapted:
    """The kinds of changes made on import: how often each occurred, and where first."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, what: str, at: str) -> None:
        times, first = self._found.get(what, (0, at))
        self._found[what] = (times + 1, first)

    def leave_out(
        self, given: Mapping[str, Any], known: Iterable[str], whose: str, at: str
    ) -> None:
        """Record a part that is left out, unless it is empty."""
        for field in given.keys() - set(known):
            if given[field] not in (None, "", [], {}):
                self.add(f"{printable(field)} of {whose} is left out", at)

    def sentences(self) -> tuple[str, ...]:
        return tuple(
            f"{what}: {f'{number(times)} times, first at' if times > 1 else 'at'} {first}"
            for what, (times, first) in sorted(self._found.items())
        )


def mapping(given: object, at: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise FormatError(f"{at}: must be an object")
    return given


def text_in(given: Mapping[str, Any], field: str, at: str, missing: str | None = None) -> str:
    """Read a text. `missing` stands for an absent text or null; if it is None, a text is
    required.
    """
    text = given.get(field)
    if text is None and missing is not None:
        return missing
    if not isinstance(text, str):
        raise FormatError(f"{at}.{field}: must be text")
    return text


def shown(value: object) -> str:
    return "nothing" if value is None else printable(str(value))
