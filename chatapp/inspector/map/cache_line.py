"""The line in the map down to which a request equals the one before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from django.utils.translation import gettext as _

from chatapp.inspector.cost.prefix import before
from chatapp.inspector.map.injected import InjectedText, ShownRow
from history.core.money.prefix import Spot
from history.core.plan.injected import SYSTEM_PROMPT, TOOL_SCHEMAS
from history.services.explain.cost.previous import SharedWithPrevious
from history.services.explain.map.rows import FoldRow, MessageRow
from history.wording.differences import difference_of

FIRST = frozenset({SYSTEM_PROMPT, TOOL_SCHEMAS})  # With these nothing stays the same.


@dataclass(frozen=True, slots=True)
class CacheRow:
    kind: ClassVar[str] = "cache"
    sentence: str


MapRow: TypeAlias = ShownRow | CacheRow


def with_cache_line(rows: Sequence[ShownRow], common: SharedWithPrevious | None) -> list[MapRow]:
    """Add the line, except for the first request of a path, which no cache can hold."""
    if common is None:
        return list(rows)
    place = _place(rows, common.prefix.now)
    return [*rows[:place], CacheRow(_sentence(common)), *rows[place:]]


def _place(rows: Sequence[ShownRow], spot: Spot | None) -> int:
    if spot is None:
        return len(rows)
    if spot.label in FIRST:
        return 0
    return next((n for n, row in enumerate(rows) if _reaches(row, spot)), len(rows))


def _reaches(row: ShownRow, spot: Spot) -> bool:
    match row:
        case InjectedText():
            return spot.position is None and row.row.label == spot.label
        case MessageRow():
            return spot.position is not None and row.position >= spot.position
        case FoldRow():
            return spot.position is not None and row.last >= spot.position
    return False


def _sentence(common: SharedWithPrevious) -> str:
    request = before(common)
    if common.prefix.now is None:
        return _("Cache: unchanged since {request}").format(request=request)
    if common.cause is None:
        return _("Cache: everything above is unchanged since {request}; new from here on").format(
            request=request
        )
    return _(
        "Cache: everything above is unchanged since {request}. From here it must be re-read "
        "because {difference} ({cause})."
    ).format(
        request=request,
        difference=difference_of(common.prefix.first_difference),
        cause=common.cause.name,
    )
