"""Keep in an address where a page of results ends. Pure."""

import re
from dataclasses import dataclass
from typing import ClassVar, Self

MOST_LEFT_OUT = 300  # Chats. An earlier one is shown again, with its older matches.


@dataclass(frozen=True, slots=True)
class Older:
    """Go on with what is older than the message `before`.

    `left_out`: a message of each chat that had more matches than its page showed. It is asked for
    them by itself, so the pages that follow are about the others.
    """

    PATTERN: ClassVar[str] = r"^$|^[1-9][0-9]{0,17}(\.[1-9][0-9]{0,17}){0,300}$"

    before: int
    left_out: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Read what an address says; none if a page never said so."""
        if not text or not re.fullmatch(cls.PATTERN, text):
            return None
        before, *left_out = map(int, text.split("."))
        return cls(before, tuple(left_out))

    def __str__(self) -> str:
        return ".".join(map(str, (self.before, *self.left_out[-MOST_LEFT_OUT:])))
