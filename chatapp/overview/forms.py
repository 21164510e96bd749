"""The queries that the overview's address accepts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from chatapp.inspector.forms import MOST
from chatapp.overview.failing.reasons import REASONS
from chatapp.overview.period import CUSTOM, DAYS, USUAL, Period, date_field, dates_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

COLUMNS = {
    "last": _("Last request"),
    "requests": _("Requests"),
    "tokens": _("Tokens"),
    "cost": _("Cost"),
    "first": _("First word"),
    "whole": _("Whole answer"),
    "cache": _("Cache hits"),
    "left_out": _("Left out"),
    "failures": _("Failures"),
    "stopped": _("Stopped"),
}
GROUPS = {
    "": _("Chats"),
    "person": _("People"),
    "agent": _("Agents"),
    "model": _("Models"),
}
VISITORS = 0  # In place of a person: all people without an account.
# Fields that the page shows; others are only in the address.
SEEN = ("days", "start", "end", "agent", "model", "failures", "stopped", "q")
LONGEST_SEARCH = 200  # The most characters of a text to search for.
CHARTS = [name for name in COLUMNS if name != "last"]
SORTS = [f"{sign}{name}" for name in (*COLUMNS, "first_p95", "whole_p95") for sign in ("", "-")]


@dataclass(frozen=True, slots=True)
class OverviewQuery:
    """What the address asks for. `sort` names a column, with a minus for the greatest first. `page`
    counts from 1. `failures` and `stopped` ask for only such answers, both together for either.

    `person` is an account's id, or `VISITORS`. `by` says what has a row of its own, `chart` names
    the column that is drawn. Only lists of failures have a `kind`, a `conversation`, a `day` on
    which a period of the chart begins, and `like`, a failed answer to which all others are
    identical. `sought` is searched for in titles and in names of people.
    """

    period: Period
    agent: str = ""
    model: str = ""
    failures: bool = False
    stopped: bool = False
    person: int | None = None
    by: str = ""
    sort: str = "-last"
    page: int = 1
    chart: str = ""
    kind: str = ""
    conversation: UUID | None = None
    day: date | None = None
    like: UUID | None = None
    sought: str = ""


class OverviewForm(forms.Form):
    """The fields of the overview, each of which may be missing or empty.

    `start` and `end` are the first and the last day of a period with dates of its own.
    """

    days = forms.TypedChoiceField(coerce=int)
    start = date_field()
    end = date_field()
    agent = forms.ChoiceField(required=False)
    model = forms.ChoiceField(required=False)
    failures = forms.BooleanField(required=False)
    stopped = forms.BooleanField(required=False)
    q = forms.CharField(
        required=False,
        max_length=LONGEST_SEARCH,
        widget=forms.TextInput(attrs={"class": "field", "type": "search"}),
    )
    person = forms.IntegerField(required=False, min_value=VISITORS, max_value=MOST)
    by = forms.ChoiceField(required=False, choices=list(GROUPS.items()))
    sort = forms.ChoiceField(required=False)
    chart = forms.ChoiceField(required=False)
    page = forms.IntegerField(required=False, min_value=1, max_value=100_000)

    def __init__(
        self,
        data: Mapping[str, str],
        agents: Mapping[str, str],
        models: Sequence[str],
        *,
        shows_cost: bool,
    ) -> None:
        values = {name: value for name, value in data.items() if value}
        has_dates = "start" in values or "end" in values
        super().__init__({"days": CUSTOM if has_dates else USUAL, **values})
        self.faults: dict[str, str] = {}
        self._offer("agent", [("", _("All agents")), *agents.items()])
        self._offer("model", [("", _("All models")), *((name, name) for name in models)])
        self._offer("days", list(DAYS.items()))
        sorts = [sort for sort in SORTS if shows_cost or "cost" not in sort]
        self._offer("sort", [(sort, sort) for sort in sorts])
        self._offer("chart", [(name, name) for name in CHARTS if shows_cost or name != "cost"])
        self.person_name = ""

    def _offer(self, name: str, choices: "list[tuple[Any, StrOrPromise]]") -> None:
        field = self.fields[name]
        field.choices = choices  # type: ignore[attr-defined]  # Both are choice fields.
        field.widget.attrs["class"] = "field"

    def clean(self) -> None:
        """Check and complete the dates. They are dropped if the period is a number of days."""
        dates = dates_of(self.cleaned_data)
        if dates and (dates.first > dates.last or dates.is_too_long):
            self.add_error("start", _("No period begins then."))
        start, end = dates or (None, None)
        self.cleaned_data |= {"start": start, "end": end}
        self.data = {**self.data, "start": start, "end": end}

    def clean_person(self) -> int | None:
        """Check the chosen person's id, and look up their name."""
        person: int | None = self.cleaned_data["person"]
        if person == VISITORS:
            self.person_name = str(_("Visitors"))
        elif person is not None:
            name = User.objects.filter(pk=person).values_list("username", flat=True).first()
            if name is None:
                raise forms.ValidationError(_("Nobody has this id."))
            self.person_name = name
        return person

    def blame(self, name: str, sentence: str) -> None:
        """Say beside a field what is wrong with its value, and mark the field."""
        self.faults[name] = sentence
        marks = {"aria-invalid": "true", "aria-describedby": f"fault-{name}"}
        self.fields[name].widget.attrs.update(marks)

    @property
    def faults_elsewhere(self) -> list[str]:
        """The faults of parameters that have no visible field."""
        return [fault for name, fault in self.faults.items() if name not in SEEN]

    def wanted(self, zone: tzinfo) -> OverviewQuery:
        """Read a valid form. The period begins with a day, or a week, in the reader's time zone."""
        values = self.cleaned_data
        dates = dates_of(values)
        return OverviewQuery(
            Period.between(dates, zone) if dates else Period.newest(values["days"], zone),
            agent=values["agent"],
            model=values["model"],
            failures=values["failures"],
            stopped=values.get("stopped", False),
            person=values["person"],
            by=values["by"],
            sort=values["sort"] or "-last",
            page=values["page"] or 1,
            chart=values["chart"],
            kind=values.get("kind", ""),
            conversation=values.get("conversation"),
            day=values.get("day"),
            like=values.get("like"),
            sought=values["q"],
        )


class FailedForm(OverviewForm):
    """The fields of a list of failures, which has more of them than the overview."""

    stopped = None  # type: ignore[assignment]  # Removes the field: nothing listed was stopped.
    kind = forms.ChoiceField(required=False, choices=[(kind, kind) for kind in REASONS])
    conversation = forms.UUIDField(required=False)
    day = forms.DateField(required=False, input_formats=["%Y-%m-%d"])
    like = forms.UUIDField(required=False)


def query_with(form: OverviewForm, **changed: object) -> str:
    """Return the query with some parameters changed, leaving out those with default values."""
    query = {**{name: form.cleaned_data.get(name) for name in form.fields}, **changed}
    values = {n: v for n, v in query.items() if v or (n == "person" and v == VISITORS)}
    return "?" + urlencode(values)
