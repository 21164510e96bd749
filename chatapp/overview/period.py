"""The period that the overview counts: the newest days, or those between two dates."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.core.validators import MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

CUSTOM = 0  # In place of a number of days: the period has dates of its own.
USUAL = 30
DAYS: "dict[int, StrOrPromise]" = {
    7: _("7 days"),
    30: _("30 days"),
    90: _("90 days"),
    365: _("One year"),
    CUSTOM: _("Custom dates"),
}
EARLIEST = date(2000, 1, 1)
LONGEST = 1_830  # About five years.
MOST_DRAWN = 90  # The most days that the chart draws one by one; more are drawn by weeks.


class Dates(NamedTuple):
    """The first and the last day of a period with dates of its own."""

    first: date
    last: date

    @classmethod
    def of(cls, first: date | None, last: date | None) -> "Dates":
        """Complete the dates: no period ends after today, and one without a beginning has as many
        days as usual.
        """
        today = timezone.localdate()
        last = min(last or today, today)
        return cls(first or last - timedelta(days=USUAL - 1), last)

    @property
    def is_too_long(self) -> bool:
        return self.days > LONGEST

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


class Period(NamedTuple):
    """A period in the reader's time zone. `days` is its length; `until`, at which it ends, is None
    if it lasts until now.
    """

    since: datetime
    zone: tzinfo
    days: int
    until: datetime | None = None

    @classmethod
    def newest(cls, days: int, zone: tzinfo) -> "Period":
        """Begin with the first of the newest days, or of its week if the chart draws weeks."""
        first = timezone.localdate(timezone=zone) - timedelta(days=days - 1)
        if days > MOST_DRAWN:
            first -= timedelta(days=first.weekday())
        return cls(midnight(first, zone), zone, days)

    @classmethod
    def between(cls, dates: Dates, zone: tzinfo) -> "Period":
        is_open = dates.last >= timezone.localdate(timezone=zone)
        until = None if is_open else midnight(dates.last + timedelta(days=1), zone)
        return cls(midnight(dates.first, zone), zone, dates.days, until)

    @property
    def is_weekly(self) -> bool:
        """Whether the chart draws weeks."""
        return self.days > MOST_DRAWN

    @property
    def first(self) -> date:
        return self.since.date()

    @property
    def last(self) -> date:
        if self.until:
            return self.until.date() - timedelta(days=1)
        return timezone.localdate(timezone=self.zone)

    @property
    def step(self) -> timedelta:
        """The length of one part of the chart: a day or a week."""
        return timedelta(weeks=1) if self.is_weekly else timedelta(days=1)

    @property
    def parts(self) -> Iterator[date]:
        """The first day of each part of the chart."""
        day = self.first
        while day <= self.last:
            yield day
            day += self.step

    def dates_of(self, part: date) -> Dates:
        """Return the dates of the part that begins with this day."""
        return Dates(part, min(part + self.step - timedelta(days=1), self.last))


def midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone)


def date_field() -> forms.DateField:
    return forms.DateField(
        required=False,
        input_formats=["%Y-%m-%d"],
        validators=[MinValueValidator(EARLIEST)],
        widget=forms.DateInput(attrs={"class": "field", "type": "date"}, format="%Y-%m-%d"),
    )


def dates_of(values: dict[str, Any]) -> Dates | None:
    """Return the dates of a form whose period has dates of its own."""
    if values.get("days") != CUSTOM:
        return None
    return Dates.of(values.get("start"), values.get("end"))
