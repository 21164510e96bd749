"""The zone on what became of every message."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import path
from django.utils.translation import gettext_lazy as _

from chatapp.inspector.cost.zone import COST
from chatapp.inspector.map.parts import with_costs
from chatapp.inspector.map.rows import InjectedText, MapRow, with_cache_line, with_texts
from chatapp.inspector.map.views import rows
from chatapp.inspector.zone import ShownRecord, Zone
from history.services.explain.map.rows import MessageRow, map_rows


@dataclass(frozen=True, slots=True)
class MapZone:
    rows: Sequence[MapRow]

    @property
    def most(self) -> int:
        """The most expensive row, for the meters."""
        messages = [row.tokens for row in self.rows if isinstance(row, MessageRow)]
        injected = [row.row.tokens for row in self.rows if isinstance(row, InjectedText)]
        return max([*messages, *injected, 1])


def map_zone(shown: ShownRecord) -> MapZone:
    """Build the map, with the cost of each image, file and thought that was paid for."""
    found, cost = map_rows(shown.record, shown.plan), shown.of(COST)
    if cost and cost.is_paid:
        found = list(with_costs(found, cost.inputs))
    rows = list(with_texts(found, shown.actor, shown.record))
    return MapZone(with_cache_line(rows, shown.common))


MAP = Zone(
    "map",
    _("Map"),
    "panel/map/zone.html",
    map_zone,
    hint=_("every message, and why"),
    urls=[path("rows", rows, name="panel_rows")],
)
