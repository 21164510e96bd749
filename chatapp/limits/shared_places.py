"""The table of shared places, which limit how much work for everybody runs at once.

Each process has its own places. In every row, one person's share leaves a place for others. Answers
have a queue of their own, in which people take turns, limited by OPEN_ANSWERS and
OPEN_ANSWERS_PER_PERSON.
"""

import os
from collections.abc import Callable
from functools import partial

from django.utils.translation import gettext_lazy as _

from chatapp.limits.sharing import Patience, RequestPlaces, SharedPlaces, working_for

CORES = os.cpu_count() or 2

FILES = RequestPlaces(
    "files at once",
    _("Another of your files is still being read. Attach one file at a time."),
    most=3,
    own=1,
    patience=Patience(0, seconds=20),
)
SEARCHES = RequestPlaces(
    "searches at once",
    _("Your other searches are still running."),
    most=4,
    own=1,
    patience=Patience(3, seconds=5),  # People who type quickly have several searches under way.
)
PREDICTIONS = RequestPlaces(
    "predictions at once",
    _("Your other what-ifs and replays are still running."),
    most=3,
    own=1,
    patience=Patience(3, seconds=10),  # People may change the fields of a what-if quickly.
)
PASSWORDS = RequestPlaces(  # Counted by IP address, because nobody is signed in yet.
    "passwords at once",
    _("Many people are signing in right now."),
    most=max(CORES // 2, 2),
    own=max(CORES // 4, 1),
    patience=Patience(50, seconds=5),  # One address may be that of a whole office.
)
# An export holds a place only while it makes one piece of its file.
EXPORTS = SharedPlaces("exports at once", most=2, own=1)
IMPORTS = SharedPlaces("imports at once", most=2, own=1)
TOOL_CALLS = SharedPlaces("tool calls at once", most=32, own=16)
CONTEXT_TEXTS = SharedPlaces("context texts at once", most=16, own=8)
RENDERINGS = SharedPlaces("renderings at once", most=4, own=2)
# Places are counted by address, as nobody is signed in.
EMAILS = SharedPlaces("e-mails at once", most=2, own=1)
COMPARISONS = SharedPlaces("comparisons in line", most=100, own=20)

SHARED_PLACES: tuple[SharedPlaces, ...] = (
    *(FILES, SEARCHES, PREDICTIONS, PASSWORDS),
    *(EXPORTS, IMPORTS, TOOL_CALLS, CONTEXT_TEXTS, RENDERINGS, EMAILS, COMPARISONS),
)


def behind(who: str) -> str:
    """Name a person's background work, so that it takes no places from their other work."""
    return f"{who}, in the background"


class ContextPool:
    """The threads of context providers. Each counts for the person who gets the answer."""

    def enter(self) -> Callable[[], object] | None:
        who = working_for.get()
        return partial(CONTEXT_TEXTS.leave, who) if CONTEXT_TEXTS.enter(who) else None
