"""Keep in an address where a page of results ends. Pure."""

import re
from dataclasses import dataclass
from typing import ClassVar, Self

MOST_LEFT_OUT = 300  # Chats; beyond it, the earliest are shown again, with older matches.


@dataclass(frozen=True, slots=True)
class Older:
    """The beginning of the next page: what is older than the message `before`.

    `left_out`: a message of each chat that had more matches than its page showed. Such a chat is
    searched by itself, so the following pages leave it out.
    """

    PATTERN: ClassVar[str] = r"^$|^[1-9][0-9]{0,17}(\.[1-9][0-9]{0,17}){0,300}$"

    before: int
    left_out: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Parse an address's parameter; None if no page wrote it so."""
        if not text or not re.fullmatch(cls.PATTERN, text):
            return None
        before, *left_out = map(int, text.split("."))
        return cls(before, tuple(left_out))

    def __str__(self) -> str:
        return ".".join(map(str, (self.before, *self.left_out[-MOST_LEFT_OUT:])))
