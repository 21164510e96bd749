"""The tokens of the turns around a record: each turn's last request on the branch shown."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from history.models import Branch, CallFigures, ContextPlan
from history.services.explain.lookup import answers_on

REQUESTS = 200  # Requests read on either side of the record; a turn with tools has several.
COLUMNS = (
    "plan__generation__turn",
    "prompt",
    "counted",
    "cache_read",
    "plan__branch",
    "plan__head",
)


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """`sent` as reported, else as estimated; `cached` is None if nobody reported it."""

    turn: int
    sent: int
    cached: int | None
    is_reported: bool = True

    @property
    def share(self) -> float | None:
        """The cached share, from 0 to 1."""
        return None if self.cached is None or not self.sent else min(1, self.cached / self.sent)


def turn_figures(record: ContextPlan) -> list[TurnFigures]:
    """Return figures by turn. The search is by time: an index finds neighbours quickly."""
    branch = _branch_of(record)
    last = {
        figures.turn: figures
        for figures, owner, head in _around(record)
        if answers_on(branch, owner, head)
    }
    return [last[turn] for turn in sorted(last)]


def _branch_of(record: ContextPlan) -> Branch:
    """Return the open branch, unless the record is on another."""
    opened = record.generation.conversation.branch
    if opened and answers_on(opened, record.branch_id, record.head):
        return opened
    return record.branch


def _around(record: ContextPlan) -> Iterator[tuple[TurnFigures, int, int]]:
    """Yield each request's figures with its branch and head, the oldest first."""
    conversation = record.generation.conversation_id
    rows = CallFigures.objects.filter(conversation=conversation, plan__isnull=False)
    before = rows.filter(created__lte=record.created).order_by("-created", "-pk")[:REQUESTS]
    after = rows.filter(created__gt=record.created).order_by("created", "pk")[:REQUESTS]
    found = chain(reversed(before.values_list(*COLUMNS)), after.values_list(*COLUMNS))
    for turn, prompt, counted, cached, branch, head in found:
        is_reported = prompt is not None
        sent = prompt if is_reported else counted
        yield TurnFigures(turn, sent, cached, is_reported), branch, head
