"""The panel's zone on what became of every message: a row for each message and for each injected
text, and a line where the cached part of the request ends.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chatapp.inspector.cost.inputs import with_costs
from chatapp.inspector.cost.sentences import before, why_different
from chatapp.inspector.cost.zone import COST
from chatapp.inspector.map.views import rows as rows_view
from chatapp.inspector.zone import ShownRecord, Zone
from history.core.money.prefix import Spot
from history.core.plan.injected import CONTINUE, SYSTEM_PROMPT, TOOL_SCHEMAS, is_prompt
from history.core.words.wording import number
from history.models import ContextPlan
from history.services.access import Actor
from history.services.explain.cost.previous import SharedWithPrevious
from history.services.explain.map.lines import excerpt
from history.services.explain.map.rows import (
    FoldRow,
    InjectedRow,
    MessageRow,
    Row,
    StartRow,
    map_rows,
)
from history.services.explain.prompts import may_read_prompt
from history.services.texts import stored_text

TEXTS = {SYSTEM_PROMPT: "system_prompt", TOOL_SCHEMAS: "tools", CONTINUE: "continue"}


@dataclass(frozen=True, slots=True)
class InjectedText:
    """The row of an injected text; the text is None if the reader may not see it."""

    kind: ClassVar[str] = "injected"
    row: InjectedRow
    text: str | None

    @property
    def beginning(self) -> str:
        return excerpt(self.text or "")

    @property
    def is_longer(self) -> bool:
        return self.beginning != self.text


ShownRow: TypeAlias = MessageRow | FoldRow | StartRow | InjectedText


def with_texts(rows: Iterable[Row], actor: Actor, record: ContextPlan) -> Iterator[ShownRow]:
    for row in rows:
        if isinstance(row, InjectedRow):
            is_private = is_prompt(row.label) and not may_read_prompt(actor, record)
            yield InjectedText(row, None if is_private else _text(row.label, record))
        else:
            yield row


def _text(label: str, record: ContextPlan) -> str:
    digest = record.texts.get(TEXTS.get(label, label))  # The key of any other text is its label.
    text = stored_text(digest) if digest else ""
    if label != TOOL_SCHEMAS:
        return text
    return ", ".join(schema["function"]["name"] for schema in json.loads(text or "[]"))


# If the system prompt or the tools change, two requests have no common beginning.
FIRST = frozenset({SYSTEM_PROMPT, TOOL_SCHEMAS})


@dataclass(frozen=True, slots=True)
class CacheRow:
    kind: ClassVar[str] = "cache"
    sentence: str


MapRow: TypeAlias = ShownRow | CacheRow


def with_cache_line(
    rows: Sequence[ShownRow], common: SharedWithPrevious | None, lost: str = ""
) -> list[MapRow]:
    """Add a line where the cached part ends, unless there is no previous request. `lost` is the
    cost of re-reading, if any.
    """
    if common is None:
        return list(rows)
    place = _place(rows, common.prefix.now)
    sentence = _sentence(common)
    if lost:
        sentence = _("{sentence} Of this request's cost, {money} is due to that.").format(
            sentence=sentence, money=lost
        )
    return [*rows[:place], CacheRow(sentence), *rows[place:]]


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
    if common.other_model:
        return _("Cache: nothing can be read from it, because {model} answered {request}").format(
            model=common.other_model, request=request
        )
    if common.prefix.now is None:
        return _("Cache: unchanged since {request}").format(request=request)
    if common.cause is None:
        return _("Cache: everything above is unchanged since {request}; new from here on").format(
            request=request
        )
    if common.resent:
        parted = ngettext(
            "Cache: everything above is unchanged since {request}. From here {count} token must be "
            "re-read because {why}.",
            "Cache: everything above is unchanged since {request}. From here {count} tokens must "
            "be re-read because {why}.",
            common.resent,
        )
    else:
        parted = _(
            "Cache: everything above is unchanged since {request}; new from here on, because {why}."
        )
    count = number(common.resent)
    return parted.format(request=request, count=count, why=why_different(common))


@dataclass(frozen=True, slots=True)
class MapZone:
    rows: Sequence[MapRow]

    @property
    def most(self) -> int:
        """The tokens of the row with the most, which fills its meter."""
        messages = [row.tokens for row in self.rows if isinstance(row, MessageRow)]
        injected = [row.row.tokens for row in self.rows if isinstance(row, InjectedText)]
        return max([*messages, *injected, 1])


def map_zone(panel: ShownRecord) -> MapZone:
    """Build the map's zone, with the cost of each image, file and thought that was paid for."""
    rows, cost = map_rows(panel.record, panel.plan), panel.of(COST)
    lost = ""
    if cost and cost.is_paid:
        rows = list(with_costs(rows, cost.inputs))
        re_read = cost.re_read
        lost = re_read.money if re_read and re_read.is_paid and re_read.dearer else ""
    all_rows = list(with_texts(rows, panel.actor, panel.record))
    return MapZone(with_cache_line(all_rows, panel.common, lost))


URLS = [path("rows", rows_view, name="panel_rows")]
MAP = Zone("map", gettext_lazy("Map"), gettext_lazy("every message, and why"), map_zone, urls=URLS)
