"""The tokens of turns near a record: those of each turn's last request on the same branch that was
sent.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from history.models import Branch, CallFigures, ContextPlan
from history.services.explain.lookup import answers_on
from history.services.wire.delivery import has_left

# How many requests are read before and after the record; a turn with tools has several.
REQUESTS = 200
COLUMNS = (
    "plan__generation__turn",
    "counted",
    "cache_read",
    "prompt",
    "plan",
    "plan__branch",
    "plan__head",
)


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """A turn's tokens: `sent` by our estimate, `cached` and `prompt` as reported, or None."""

    turn: int
    sent: int
    cached: int | None = None
    prompt: int | None = None

    @property
    def share(self) -> float | None:
        """The share of the reported tokens that came from the cache, from 0 to 1."""
        return None if self.cached is None or not self.prompt else min(1, self.cached / self.prompt)


def turn_figures(record: ContextPlan) -> list[TurnFigures]:
    """Return the figures by turn; for the record's own turn, those of the record.

    The search is by time, because an index finds neighbours quickly.
    """
    branch, turn = _branch_of(record), record.generation.turn
    last = {turn: TurnFigures(turn, record.core_plan.window.sent if has_left(record) else 0)}
    for figures, plan, owner, head in _around(record):
        if plan == record.pk:
            last[turn] = replace(figures, sent=last[turn].sent)
        elif figures.turn != turn and answers_on(branch, owner, head):
            last[figures.turn] = figures if figures.sent else last.get(figures.turn, figures)
    return [last[turn] for turn in sorted(last)]


def _branch_of(record: ContextPlan) -> Branch:
    """Return the open branch or, if the record is not on it, the record's branch."""
    opened = record.generation.conversation.branch
    if opened and answers_on(opened, record.branch_id, record.head):
        return opened
    return record.branch


def _around(record: ContextPlan) -> Iterator[tuple[TurnFigures, int, int, int]]:
    """Yield the figures of each request with its plan, branch and head, the oldest first."""
    conversation = record.generation.conversation_id
    rows = CallFigures.objects.filter(conversation=conversation, plan__isnull=False)
    before = rows.filter(created__lte=record.created).order_by("-created", "-pk")[:REQUESTS]
    after = rows.filter(created__gt=record.created).order_by("created", "pk")[:REQUESTS]
    requests = chain(reversed(before.values_list(*COLUMNS)), after.values_list(*COLUMNS))
    for turn, tokens, cached, prompt, *whose in requests:
        plan, branch, head = whose
        yield TurnFigures(turn, tokens, cached, prompt), plan, branch, head
