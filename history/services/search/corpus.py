"""Whose messages are searched. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Corpus:
    """The messages of an account, or else those of some branches.

    `before`: only messages that were written before this one. `without`: not of these branches.
    """

    owner: int | None = None
    branches: Sequence[int] = ()
    before: int | None = None
    without: Sequence[int] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to search."""
        return self.owner is None and not self.branches
