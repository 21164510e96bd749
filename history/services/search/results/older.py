"""Write into an address where a page of results ends. Pure functions."""

import re
from dataclasses import dataclass
from typing import ClassVar, Self

# The most chats to leave out; beyond it, the earliest are shown again, with older matches.
MOST_LEFT_OUT = 300


@dataclass(frozen=True, slots=True)
class Older:
    """The place where the next page begins: it has what is older than the message `before`.

    `left_out`: a message of each chat that had more matches than its page showed. Such a chat is
    searched by itself, so later pages leave it out.
    """

    PATTERN: ClassVar[str] = r"^$|^[1-9][0-9]{0,17}(\.[1-9][0-9]{0,17}){0,300}$"

    before: int
    left_out: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Parse the parameter of an address; None if it is not in the form that `str` writes."""
        if not text or not re.fullmatch(cls.PATTERN, text):
            return None
        before, *left_out = map(int, text.split("."))
        return cls(before, tuple(left_out))

    def __str__(self) -> str:
        return ".".join(map(str, (self.before, *self.left_out[-MOST_LEFT_OUT:])))
