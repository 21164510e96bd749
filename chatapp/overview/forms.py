"""The queries that the overview's address accepts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

DAYS = {7: _("7 days"), 30: _("30 days"), 90: _("90 days"), 365: _("One year")}
USUAL = 30
COLUMNS = {
    "last": _("Last request"),
    "requests": _("Requests"),
    "tokens": _("Tokens"),
    "cost": _("Cost"),
    "cache": _("Cache hits"),
    "left_out": _("Left out"),
    "failures": _("Failures"),
}
SORTS = [f"{sign}{name}" for name in COLUMNS for sign in ("", "-")]


@dataclass(frozen=True, slots=True)
class OverviewQuery:
    """`sort` names a column, with a minus for the greatest first. `page` counts from 1."""

    since: datetime
    zone: tzinfo
    days: int
    agent: str = ""
    model: str = ""
    failures: bool = False
    sort: str = "-last"
    page: int = 1


class OverviewForm(forms.Form):
    """Each field may be missing or empty."""

    days = forms.TypedChoiceField(coerce=int)
    agent = forms.ChoiceField(required=False)
    model = forms.ChoiceField(required=False)
    failures = forms.BooleanField(required=False)
    sort = forms.ChoiceField(required=False, choices=[(s, s) for s in SORTS])
    page = forms.IntegerField(required=False, min_value=1, max_value=100_000)

    def __init__(
        self, data: Mapping[str, str], agents: Mapping[str, str], models: Sequence[str]
    ) -> None:
        given = {name: value for name, value in data.items() if value}
        super().__init__({"days": USUAL, **given})
        self._offer("agent", [("", _("All agents")), *agents.items()])
        self._offer("model", [("", _("All models")), *((name, name) for name in models)])
        self._offer("days", list(DAYS.items()))

    def _offer(self, name: str, choices: "list[tuple[Any, StrOrPromise]]") -> None:
        field = self.fields[name]
        field.choices = choices  # type: ignore[attr-defined]  # These are choice fields.
        field.widget.attrs["class"] = "field"

    def wanted(self, zone: tzinfo) -> OverviewQuery:
        """Read a valid form. The period begins with a day in the reader's time zone, or a week."""
        given = self.cleaned_data
        return OverviewQuery(
            since=beginning(given["days"], zone),
            zone=zone,
            days=given["days"],
            agent=given["agent"],
            model=given["model"],
            failures=given["failures"],
            sort=given["sort"] or "-last",
            page=given["page"] or 1,
        )


def beginning(days: int, zone: tzinfo) -> datetime:
    """Return the start of the period's first day, or of its first week if weeks are drawn."""
    first = timezone.localdate(timezone=zone) - timedelta(days=days - 1)
    if is_weekly(days):
        first -= timedelta(days=first.weekday())
    return datetime(first.year, first.month, first.day, tzinfo=zone)


def is_weekly(days: int) -> bool:
    return days > 90
