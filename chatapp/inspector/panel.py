"""The panel of one plan: its head, its first screen, and its zones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from chatapp.inspector.conversation import ConversationPicture, conversation_picture
from chatapp.inspector.cost.zone import COST, CostZone
from chatapp.inspector.forms import RecordQuery
from chatapp.inspector.head import Head, head_of
from chatapp.inspector.unsent import upcoming
from chatapp.inspector.whatif.taking import SettingsTaken, still_taken
from chatapp.inspector.window import WINDOW, Bars
from chatapp.inspector.zone import Place, ShownRecord, Zone
from chatapp.inspector.zones import ZONES
from history.core.settings.resolved import Settings
from history.models import ContextPlan, Conversation
from history.services.access import Actor
from history.services.explain.explanation import Explanation
from history.services.explain.lookup import shown_plan
from history.wording.notes import WordedNote

ZoneData: TypeAlias = tuple[Zone[Any], Any]


@dataclass(frozen=True, slots=True)
class Panel:
    """All data but the form's list of models. `zones` are those that have something to show.

    `upcoming` lists the settings that will differ for the next message, if the newest turn is
    shown; `taken` is what was applied to the chat and can be undone.
    """

    shown: ShownRecord
    head: Head
    zones: Sequence[ZoneData]
    upcoming: Sequence[str]
    taken: SettingsTaken | None

    @property
    def record(self) -> ContextPlan:
        return self.shown.record

    @property
    def conversation(self) -> Conversation:
        return self.shown.conversation

    @property
    def explanation(self) -> Explanation:
        return self.shown.explanation

    @property
    def warnings(self) -> tuple[WordedNote, ...]:
        """What must not be overlooked; other notes are with the settings."""
        return tuple(note for note in self.explanation.notes if note.is_warning)

    @property
    def picture(self) -> ConversationPicture:
        return conversation_picture(self.explanation.plan, has_left=self.explanation.has_left)

    @property
    def query(self) -> str:
        """The query that names this very record."""
        return f"generation={self.record.generation_id}&step={self.record.step}"

    @property
    def resolved(self) -> Settings:
        return self.explanation.plan.settings

    @property
    def bars(self) -> Bars | None:
        return self.shown.of(WINDOW)

    @property
    def cost(self) -> CostZone | None:
        return self.shown.of(COST)

    @property
    def above(self) -> Iterator[ZoneData]:
        return self._at(Place.ABOVE)

    @property
    def left(self) -> Iterator[ZoneData]:
        return self._at(Place.LEFT)

    @property
    def right(self) -> Iterator[ZoneData]:
        return self._at(Place.RIGHT)

    def _at(self, place: Place) -> Iterator[ZoneData]:
        return ((zone, data) for zone, data in self.zones if zone.place is place)


def panel_of(
    actor: Actor, conversation: Conversation, wanted: RecordQuery, query: str | None = None
) -> Panel:
    """Build the panel; `query` is the open chat's. Raise NotFound without a record."""
    record = shown_plan(conversation, wanted.turn, wanted.generation, wanted.step)
    shown = ShownRecord(actor, record, query)
    found = [(zone, shown.of(zone)) for zone in ZONES]
    return Panel(
        shown,
        head_of(shown),
        zones=[(zone, data) for zone, data in found if data is not None],
        upcoming=upcoming(shown),
        taken=still_taken(actor, conversation) if shown.is_newest else None,
    )
