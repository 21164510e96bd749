"""The overview's rows as a file for spreadsheets."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from io import StringIO

from django.utils.timezone import localtime

from chatapp.overview.figures import Figures
from chatapp.overview.forms import OverviewQuery
from chatapp.overview.groups import ListedGroup
from chatapp.overview.queries import ListedConversation
from history.core.money.cost import plain

NAMES = {
    "": ["conversation", "title", "person", "agent"],
    "person": ["person"],
    "agent": ["agent"],
    "model": ["model"],
}
FIGURES = [
    *("last_request", "requests", "tokens", "cache_hits_percent", "left_out_percent"),
    *("failures", "stopped"),
    *(f"{what}_ms_{rank}" for what in ("first_token", "duration") for rank in ("median", "p95")),
]
COSTS = ["cost_usd", "requests_of_unknown_cost", "requests_that_brought_nothing"]
# A spreadsheet would run a value that begins with one of these signs.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def written(
    rows: Iterable[ListedConversation | ListedGroup], query: OverviewQuery, *, shows_cost: bool
) -> str:
    """Write the rows in their order. Unknown values stay empty."""
    file = StringIO()
    writer = csv.writer(file)
    writer.writerow([*NAMES[query.by], *FIGURES, *(COSTS if shows_cost else [])])
    for row in rows:
        last = localtime(row.last).isoformat(timespec="seconds") if row.last else ""
        cells = [*map(_harmless, _names(row)), last, *_figures(row.figures)]
        writer.writerow([*cells, *(_costs(row.figures) if shows_cost else [])])
    return file.getvalue()


def _names(row: ListedConversation | ListedGroup) -> Sequence[str]:
    if isinstance(row, ListedGroup):
        return [row.label]
    conversation = row.conversation
    owner = conversation.owner.get_username() if conversation.owner else ""
    return [str(conversation.pk), conversation.title, owner, conversation.partner.name]


def _figures(figures: Figures) -> list[object]:
    shares = [_rounded(figures.cache_share), _rounded(figures.left_out_share)]
    speed = ["" if value is None else round(value) for value in astuple(figures.speed)]
    return [figures.requests, figures.tokens, *shares, figures.failures, figures.stopped, *speed]


def _costs(figures: Figures) -> list[object]:
    unknown = figures.unpriced + figures.unreported
    return [plain(figures.money) if figures.is_priced else "", unknown, figures.unanswered]


def _rounded(percent: float | None) -> float | str:
    return "" if percent is None else round(percent, 1)


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
