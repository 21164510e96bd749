"""A person's word on single messages: pins are sent and exclusions are not, at every stage."""

from history.core.budget import Budget
from history.core.draft import Draft
from history.core.plan import PIN, Verdict
from history.core.resolution import Settings
from history.core.rows import Ruling
from history.core.segments import Segment
from history.core.settings import LayerName

MOST_PINS = 20
SHARE = 4  # Pins take at most one part in so many of the history's budget.

EXCLUDED = Ruling(Verdict.EXCLUDED, "exclusion", reason="excluded by a person")
PINNED = Ruling(Verdict.KEPT, PIN, reason="pinned by a person")


def exclude(draft: Draft, positions: frozenset[int]) -> None:
    """Whole segments leave, but never the current turn; they keep their turn's number."""
    gone = _marked(draft, positions)
    draft.take_out(gone, EXCLUDED)


def pin(
    draft: Draft, positions: frozenset[int], settings: Settings, budget: Budget
) -> tuple[str, ...]:
    """Hold pinned segments; returns what the plan says of pins that have no effect."""
    pinned = _marked(draft, positions)
    policy = settings["policy"].winner
    if pinned and policy.value == "none" and policy.layer is LayerName.ENVIRONMENT:
        return ("pins have no effect: the environment sets policy none",)
    held: set[int] = set()
    room, notes = budget.soft // SHARE, []
    for part in reversed(pinned):
        if len(held) == MOST_PINS or part.tokens > room:
            notes.append(_refused(part, full=len(held) == MOST_PINS))
            continue
        held.add(part.position)
        room -= part.tokens
    draft.hold(lambda part: part.position in held, PINNED)
    return tuple(notes)


def _refused(part: Segment, *, full: bool) -> str:
    bound = f"more than {MOST_PINS} pins" if full else "pins over a quarter of the history's budget"
    return f"the pin of message {part.position + 1} has no effect: {bound}"


def _marked(draft: Draft, positions: frozenset[int]) -> list[Segment]:
    """The current turn is always sent, and whole."""
    if not positions:
        return []
    past = (part for part in draft.live if part.position < draft.first_current)
    return [p for p in past if any(m.position in positions for m in p.messages)]
