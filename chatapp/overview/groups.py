"""Figures by person, agent or model: who and what makes the bill high."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from chatapp.overview.figures import Figures
from chatapp.overview.forms import VISITORS, OverviewQuery
from chatapp.overview.paging import Paged
from chatapp.overview.queries import KeySums, paged
from history.core.money.cost import UNKNOWN


@dataclass(frozen=True, slots=True)
class ListedGroup:
    """`condition` is the address's value that chooses this group; None if the group is gone."""

    label: str
    condition: str | int | None
    figures: Figures
    last: datetime | None


def groups(
    wanted: OverviewQuery, names: Mapping[str, str], *, every: bool = False
) -> Paged[ListedGroup]:
    """Return a page of groups, or `every` one. `names`: those of the existing agents or models."""
    page = paged(wanted, every)
    return page.of(listed_groups(wanted.by, page.rows, names))


def listed_groups(
    by: str, rows: Collection[KeySums], names: Mapping[str, str]
) -> list[ListedGroup]:
    """Return the rows with the names by which people know them."""
    if by == "person":
        people = _people({row.key for row in rows if row.key})
        return [_person(row, people) for row in rows]
    return [_named(row, names) for row in rows]


def _people(keys: Collection[int]) -> dict[int, str]:
    return dict(User.objects.filter(pk__in=keys).values_list("pk", "username"))


def _person(row: KeySums, people: Mapping[int, str]) -> ListedGroup:
    """Make a person's row. Visitors have no account and no name, and share one row."""
    label = people.get(row.key, UNKNOWN) if row.key else _("Visitors")
    return ListedGroup(label, row.key or VISITORS, row.figures, row.last)


def _named(row: KeySums, names: Mapping[str, str]) -> ListedGroup:
    condition = row.key if row.key in names else None
    return ListedGroup(names.get(row.key, row.key) or UNKNOWN, condition, row.figures, row.last)
