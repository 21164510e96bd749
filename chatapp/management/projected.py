"""A file's transcript and its projection, recorded with the file's own message numbers."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from agents.effective import contradictions
from history.core.formats.openai_format import ImportedTranscript
from history.core.messages import Message
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.wire import in_order, openai_messages
from history.core.projection.project import Projection
from history.services.explain.map.repairs import RepairedMessage, repairs_of
from history.wording.plans import worded_plan

PROMPT = 0  # The index of the file's prompt, which comes first.


@dataclass(frozen=True, slots=True)
class Projected:
    """A file's transcript, and what the model would be sent of it."""

    file: str
    model: str
    imported: ImportedTranscript
    projection: Projection

    @property
    def repaired(self) -> tuple[RepairedMessage, ...]:
        return tuple(repairs_of(self.projection.plan, self.imported.messages))

    def index(self, position: int) -> int:
        """Return the index in the file, from 0; the prompt counts there."""
        return position + self.imported.offset

    def as_dict(self) -> dict[str, Any]:
        plan = self.projection.plan
        worded = worded_plan(plan.as_dict())
        return {
            "stored": False,
            "model": self.model,
            "conflicts": list(contradictions(plan.settings)),
            "plan": {**worded, "entries": list(map(self._row, worded["entries"]))},
            "messages": list(self._sent()),
            "repaired": [{**asdict(r), "index": self.index(r.position)} for r in self.repaired],
            "adapted": self.imported.adapted,
        }

    def _row(self, entry: dict[str, Any]) -> dict[str, Any]:
        if entry["label"] == SYSTEM_PROMPT:
            return {**entry, "index": PROMPT, "last_index": PROMPT}
        places = (entry["first"], entry["last"])
        ends = [None if place is None else self.index(place) for place in places]
        return {**entry, "index": ends[0], "last_index": ends[1]}

    def _sent(self) -> Iterator[dict[str, Any]]:
        sent, texts = self.projection.messages, self.projection.injected
        items = in_order(sent, texts)
        for item, message in zip(items, openai_messages(sent, texts), strict=True):
            yield {**message, "index": self._index_of(item)}

    def _index_of(self, item: Message | Injected) -> int | None:
        """Return an index; None for what is not in the file."""
        if isinstance(item, Injected):
            return PROMPT if item.label == SYSTEM_PROMPT else None
        return None if item.label else self.index(item.position)
