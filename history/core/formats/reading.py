"""What all readers of OpenAI's chat format need: errors, token counters, and a list of changes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from history.core.transcript.clamp import FRAME, Count, approximate
from history.core.transcript.messages import ToolCall
from history.core.words.wording import number, printable

PIXELS = 28  # A square with sides of this many pixels costs one token, roughly as with Claude.
UNKNOWN_SIDE = 1_024  # The assumed side, in pixels, of an image of unknown size.


class FormatError(ValueError):
    """The input cannot be read. The message says where, what is wrong there, and what to do."""


@dataclass(frozen=True, slots=True)
class Counters:
    """Functions that count tokens: of a role with its text and calls, of a call's name and
    arguments, of a bare text, and of an image by its width and height.
    """

    message: Callable[[str, str, Sequence[ToolCall]], int]
    call: Callable[[str, str], int]
    text: Callable[[str], int]
    image: Callable[[int, int], int]


def counters_of(count: Count) -> Counters:
    """Make all counters from one that counts bare texts; images are counted by their area."""

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


class Adaptations:
    """The kinds of changes made while reading: how often each was made, and where first."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, what: str, at: str) -> None:
        times, first = self._found.get(what, (0, at))
        self._found[what] = (times + 1, first)

    def leave_out(
        self, values: Mapping[str, Any], names: Iterable[str], whose: str, at: str
    ) -> None:
        """Record each field that is not in `names`, and so left out, unless it is empty."""
        for field in values.keys() - set(names):
            if values[field] not in (None, "", [], {}):
                self.add(f"{printable(field)} of {whose} is left out", at)

    def sentences(self) -> tuple[str, ...]:
        return tuple(
            f"{what}: {f'{number(times)} times, first at' if times > 1 else 'at'} {first}"
            for what, (times, first) in sorted(self._found.items())
        )


def mapping(value: object, at: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FormatError(f"{at}: must be an object")
    return value


def text_in(values: Mapping[str, Any], field: str, at: str, missing: str | None = None) -> str:
    """Read a text. `missing` stands for a text that is absent or null; if `missing` is None, the
    text must be there.
    """
    text = values.get(field)
    if text is None and missing is not None:
        return missing
    if not isinstance(text, str):
        raise FormatError(f"{at}.{field}: must be text")
    return text


def printable_value(value: object) -> str:
    return "nothing" if value is None else printable(str(value))
