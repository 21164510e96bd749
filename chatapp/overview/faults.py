"""Explain invalid values in an address of the overview to the person who opened it."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chatapp.overview.forms import OverviewForm

LONGEST = 50  # The most characters of a value that a sentence repeats.
WRONG = {
    "days": gettext_lazy("“{value}” is not a period."),
    "start": gettext_lazy("“{value}” can't be the first day."),
    "end": gettext_lazy("“{value}” can't be the last day."),
    "agent": gettext_lazy("There is no agent “{value}”."),
    "model": gettext_lazy("No request has gone to a model “{value}”."),
    "failures": gettext_lazy("“{value}” is neither on nor off."),
    "stopped": gettext_lazy("“{value}” is neither on nor off."),
    "q": gettext_lazy("“{value}” can't be searched for."),
}
SHOWN = {
    "days": gettext_lazy("Showing 30 days. Choose 7, 30, 90 or 365."),
    "start": gettext_lazy("Showing 30 days. Choose a day at most five years before the last one."),
    "end": gettext_lazy("Showing the days until today. Choose a day from the year 2000 on."),
    "agent": gettext_lazy("Showing all. Choose one from the list."),
    "model": gettext_lazy("Showing all. Choose one from the list."),
    "failures": "",
    "stopped": "",
    "q": gettext_lazy("Showing all. Enter at most 200 ordinary characters."),
}
OTHER = gettext_lazy("{name}={value} matches nothing here.")
IGNORED = gettext_lazy(
    "Ignored from the address: {name}={value} matches nothing here. The page shows the rest."
)
MakeForm: TypeAlias = Callable[[Mapping[str, str]], OverviewForm]


def read_kindly(make: MakeForm, data: Mapping[str, str]) -> OverviewForm:
    """Return a valid form: invalid values in `data` are left out and explained in its `faults`."""
    form = make(data)
    if form.is_valid():
        return form
    valid_form = make({name: value for name, value in data.items() if name not in form.errors})
    valid_form.full_clean()
    for name in form.errors:
        valid_form.blame(name, fault(name, data.get(name, "")))
    return valid_form


def fault(name: str, value: str) -> str:
    """Say what is wrong with a value, and what a page shows instead."""
    if name not in WRONG:
        return IGNORED.format(name=name, value=_short(value))
    return f"{wrong(name, value)} {SHOWN[name]}".strip()


def wrong(name: str, value: str) -> str:
    return WRONG.get(name, OTHER).format(name=name, value=_short(value))


def no_page(number: int) -> str:
    return _("There is no page {n}. This is the last one.").format(n=number)


def no_file(form: OverviewForm, data: Mapping[str, str]) -> str:
    """Say why no file can be made, naming each invalid value."""
    sentences = [wrong(name, data.get(name, "")) for name in form.faults]
    return "\n".join([_("There is no such file."), *sentences, ""])


def _short(value: str) -> str:
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
