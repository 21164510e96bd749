"""Replace every sentence for people by meaningless words.

With `pytest --gibberish`, every text contains phrases by which code once recognised sentences, and
no two texts are alike. A test that still passes shows that no decision depends on a sentence.
"""

from itertools import count
from typing import Any

from django.utils import translation

SPOKEN = ("gettext", "ngettext", "pgettext", "npgettext")  # They return every sentence for people.
NUMBERS = count()


class Gibberish(str):
    """A text that ignores all figures formatted into it."""

    def format(self, *_: Any, **__: Any) -> "Gibberish":
        return self

    def __mod__(self, _: Any) -> "Gibberish":
        return self


def gibberish(*_: Any) -> Gibberish:
    return Gibberish(f"Zub {next(NUMBERS)}; left out, zab=zeb: has no effect")


def install() -> None:
    for name in SPOKEN:
        setattr(translation._trans, name, gibberish)  # type: ignore[attr-defined]  # Untyped.
