"""The messages that a search covers. Pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Corpus:
    """The messages of an account, or else those on some branches.

    `before`: only messages that were written before this one. `without`: no messages on these
    branches.
    """

    owner: int | None = None
    branches: Sequence[int] = ()
    before: int | None = None
    without: Sequence[int] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to search."""
        return self.owner is None and not self.branches
