"""Words that say nothing, in the place of all that is worded for people.

With `pytest --gibberish` each has what sentences were once recognised by, and nothing is worded the
same twice: a test that still passes shows that no decision depends on a sentence.
"""

from itertools import count
from typing import Any

from django.utils import translation

SPOKEN = ("gettext", "ngettext", "pgettext", "npgettext")  # All that is worded goes through one.
NUMBERS = count()


class Gibberish(str):
    """A text that has no place for any figure."""

    def format(self, *_: Any, **__: Any) -> "Gibberish":
        return self

    def __mod__(self, _: Any) -> "Gibberish":
        return self


def gibberish(*_: Any) -> Gibberish:
    return Gibberish(f"Zub {next(NUMBERS)}; left out, zab=zeb: has no effect")


def install() -> None:
    for name in SPOKEN:
        setattr(translation._trans, name, gibberish)  # type: ignore[attr-defined]  # Untyped.
