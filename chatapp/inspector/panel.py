"""The panel of a plan: its head, its first screen, and its zones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from chatapp.inspector.conversation import ConversationPicture, conversation_picture
from chatapp.inspector.cost.zone import COST, CostZone
from chatapp.inspector.forms import RecordQuery
from chatapp.inspector.head import Head, head_of
from chatapp.inspector.unsent import upcoming
from chatapp.inspector.whatif.taking import SettingsTaken, still_taken
from chatapp.inspector.window import WINDOW, Bars, Rect, filled
from chatapp.inspector.zone import ShownRecord, Zone
from chatapp.inspector.zones import ZONES
from chatapp.transcript.cut_line import newest_plan
from history.core.settings.resolved import Settings
from history.models import Conversation
from history.services.access import Actor
from history.services.explain.headline import unsent_step
from history.services.explain.lookup import last_sent, shown_plan
from history.services.wire.delivery import failed_request
from history.wording.notes import WordedNote


@dataclass
class Panel(ShownRecord):
    """The panel's data. `zones` are those that have something to show.

    `upcoming` lists the settings, summaries and marks that will differ for the next message, if the
    newest turn is shown; `taken` is what was applied to the chat and can be undone.
    """

    head: Head = field(init=False)
    zones: Sequence[tuple[Zone[Any], Any]] = field(init=False)
    upcoming: Sequence[str] = field(init=False)
    taken: SettingsTaken | None = field(init=False)

    def __post_init__(self) -> None:
        self.head = head_of(self)
        self.zones = [(zone, data) for zone in ZONES if (data := self.of(zone)) is not None]
        self.upcoming = upcoming(self)
        self.taken = still_taken(self.actor, self.conversation) if self.is_newest else None

    @cached_property
    def rail_turn(self) -> int | None:
        """The turn that the chat's rail and gauge show, if that is another one."""
        newest = None if self.is_newest else newest_plan(self.conversation)
        turn = newest.generation.turn if newest else None
        return None if turn == self.explanation.turn else turn

    @property
    def warnings(self) -> tuple[WordedNote, ...]:
        """The notes that are warnings, shown first; the other notes are shown with the settings.
        Before them it is said that the answer's last request never left, if an earlier one is
        shown; after them, what re-reading cost if bound reasoning was left out.
        """
        last = self.steps[-1]
        failed = failed_request(last) if last.step > self.record.step else None
        warnings = [note for note in self.explanation.notes if note.is_warning]
        if failed and not failed.left:
            warnings.insert(0, WordedNote(unsent_step(last.step, failed), is_warning=True))
        if self.plan.reasoning.unbound and self.cost and (warning := self.cost.re_read_warning):
            warnings.append(WordedNote(warning, is_warning=True))
        return tuple(warnings)

    @property
    def picture(self) -> ConversationPicture:
        return conversation_picture(self.plan, has_left=self.explanation.has_left)

    @property
    def query(self) -> str:
        """Return the query of the address that names this very record."""
        return f"generation={self.record.generation_id}&step={self.record.step}"

    @property
    def resolved(self) -> Settings:
        return self.plan.settings

    @property
    def bars(self) -> Bars | None:
        return self.of(WINDOW)

    @property
    def filled(self) -> Sequence[Rect]:
        """The bar of the first screen."""
        return filled(self.explanation.limit, self.bars) if self.bars else ()

    @property
    def cost(self) -> CostZone | None:
        return self.of(COST)


def panel_of(
    actor: Actor, conversation: Conversation, record_query: RecordQuery, query: str | None = None
) -> Panel:
    """Build the panel; `query` is that of the open chat's address. If it names no step, a request
    that never left is shown only if nothing of its answer was sent. Raise NotFound if there is no
    record.
    """
    record = shown_plan(conversation, record_query.turn, record_query.generation, record_query.step)
    return Panel(actor, record if record_query.step else last_sent(record), query)
