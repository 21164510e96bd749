"""The page that lists failures, and the addresses that its links and fields lead to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chatapp.overview.failing.listed import ListedFailed, ReasonCount
from chatapp.overview.list_page import ListPage


@dataclass(frozen=True, slots=True)
class Restriction:
    """A restriction of the list that has no field of its own, and the address without it."""

    label: str
    query: str


@dataclass(frozen=True, slots=True)
class FailedPage(ListPage):
    view: ClassVar[str] = "failures"

    reasons_counted: Sequence[ReasonCount]

    @property
    def count(self) -> int:
        """The number of failures for the chosen reason, or for all reasons if none is chosen."""
        kind = self.wanted.kind
        counted = self.reasons_counted
        return sum(row.count for row in counted if not kind or row.condition == kind)

    @property
    def reasons(self) -> Iterator[tuple[ReasonCount, str, bool]]:
        """Yield each reason with the address that chooses it, and whether it is the chosen one."""
        for row in self.reasons_counted:
            query = self.query(kind=row.condition, like=None) if row.condition else ""
            yield row, query, bool(row.condition) and row.condition == self.wanted.kind

    @property
    def every_reason(self) -> str:
        return self.query(kind=None, like=None)

    def each(self, row: ListedFailed) -> str:
        """Return the address of all failures like this one; empty if there are no others."""
        return self.query(like=row.answer.pk) if row.count > 1 else ""

    @property
    def narrowed(self) -> Iterator[Restriction]:
        if self.wanted.like:
            yield Restriction(_("Identical failures"), self.query(like=None))
        if self.wanted.conversation:
            yield Restriction(_("One chat"), self.query(conversation=None))
        if self.wanted.day:
            day = date_format(self.wanted.day)
            label = _("Week of {day}") if self.wanted.period.is_weekly else "{day}"
            yield Restriction(label.format(day=day), self.query(day=None))

    @property
    def hidden(self) -> Iterator[tuple[str, object]]:
        """Yield the parameters to keep when somebody changes a field."""
        for name in ("kind", "conversation", "day", "like"):
            if value := self.form.cleaned_data.get(name):
                yield name, value
