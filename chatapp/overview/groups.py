"""Figures by person, agent or model, which show who or what causes most of the cost."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from chatapp.overview.figures import Figures
from chatapp.overview.forms import VISITORS, OverviewQuery
from chatapp.overview.paging import RowPage
from chatapp.overview.queries import KeySums, paged
from history.core.money.cost import UNKNOWN


@dataclass(frozen=True, slots=True)
class ListedGroup:
    """A group's row. `condition` is the address's value that chooses it; None if it is deleted."""

    label: str
    condition: str | int | None
    figures: Figures
    last: datetime | None


def groups(
    query: OverviewQuery, names: Mapping[str, str], *, every: bool = False
) -> RowPage[ListedGroup]:
    """Return a page of groups, or all if `every`. `names` has existing agents' or models' names."""
    page = paged(query, every)
    return page.of(listed_groups(query.by, page.rows, names))


def listed_groups(
    by: str, rows: Collection[KeySums], names: Mapping[str, str]
) -> list[ListedGroup]:
    """Return rows for the groups, with the names that people know."""
    if by == "person":
        people = _people({row.key for row in rows if row.key})
        return [_person(row, people) for row in rows]
    return [_named(row, names) for row in rows]


def _people(keys: Collection[int]) -> dict[int, str]:
    return dict(User.objects.filter(pk__in=keys).values_list("pk", "username"))


def _person(row: KeySums, people: Mapping[int, str]) -> ListedGroup:
    """Make a row for a person. Visitors have no account or name, so they share a row."""
    label = people.get(row.key, UNKNOWN) if row.key else _("Visitors")
    return ListedGroup(label, row.key or VISITORS, row.figures, row.last)


def _named(row: KeySums, names: Mapping[str, str]) -> ListedGroup:
    condition = row.key if row.key in names else None
    return ListedGroup(names.get(row.key, row.key) or UNKNOWN, condition, row.figures, row.last)
