"""Find answers whose end was stored, and then their process was lost before it told the tabs."""

from collections.abc import Collection
from uuid import UUID

from chatapp.live.logged_events import Progress, newest_event

LAST_KINDS = {"end", "waiting"}  # An answer that waits for a person has no end yet.


class UntoldEnds:
    """Compares looks at the answers that tabs follow."""

    def __init__(self) -> None:
        self._active: set[UUID] = set()
        self._just_ended: set[UUID] = set()

    def overdue(self, rows: Collection[Progress]) -> list[Progress]:
        """Return the answers that were active two looks ago, and no longer in the last look."""
        active = {row.generation for row in rows if row.is_active}
        ended = [row for row in rows if not row.is_active]
        overdue = [row for row in ended if row.generation in self._just_ended]
        self._just_ended = {row.generation for row in ended} & self._active
        self._active = active
        return overdue


def lacks_end(row: Progress) -> bool:
    """Return whether the log ends without saying how the answer ended. This reads the database."""
    newest = newest_event(row.conversation, row.generation)
    return newest is None or newest[1] not in LAST_KINDS
