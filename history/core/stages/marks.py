"""Decide before all other stages: system messages and pins are sent, exclusions are not."""

from collections.abc import Sequence
from dataclasses import replace

from history.core.draft.budget import Budget
from history.core.draft.draft import Draft
from history.core.draft.rulings import Ruling, clamp_ruling
from history.core.plan.verdict import PIN, PRESERVE, Verdict
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.core.transcript.clamp import Count, clamp
from history.core.transcript.messages import Role
from history.core.transcript.segments import Segment
from history.core.words.facts import Note, Rule, fact, warning

MOST_PINS = 20
SHARE = 4  # Pins take at most 1/4 of the history's budget.

PRESERVED = Ruling(Verdict.KEPT, PRESERVE, PRESERVE, (fact(Rule.SYSTEM_KEPT),))
EXCLUDED = Ruling(Verdict.EXCLUDED, "exclusion", reasons=(fact(Rule.EXCLUDED),))
WITHHELD = Ruling(Verdict.EXCLUDED, "imported", reasons=(fact(Rule.WITHHELD),))
PINNED = Ruling(Verdict.KEPT, PIN, reasons=(fact(Rule.PINNED),))


def exclude(draft: Draft, positions: frozenset[int]) -> None:
    """Leave marked segments out, each as a whole, except in the current turn."""
    gone = _marked(draft, positions)
    draft.take_out(gone, EXCLUDED)


def withhold(draft: Draft) -> None:
    """Leave out the instructions of an imported file, wherever they are, because people who import
    a file may not write instructions.
    """
    draft.take_out([part for part in draft.live if part.messages[0].withheld], WITHHELD)


def hold_system(draft: Draft, budget: Budget, count: Count) -> None:
    """Hold all of the transcript's system messages, whatever the budget is. One that would take
    more than half of the window's room for history is clamped.
    """
    limit = max(64, budget.hard // 2)

    def short(part: Segment) -> Segment:
        return replace(part, messages=tuple(clamp(m, limit, count) for m in part.messages))

    if any(map(_is_system, draft.live)):
        parts = tuple(short(part) if _is_system(part) else part for part in draft.live)
        draft.replace(parts, clamp_ruling)
        draft.keep_always(_is_system, PRESERVED)


def pin(
    draft: Draft, positions: frozenset[int], settings: Settings, budget: Budget
) -> tuple[Note, ...]:
    """Hold pinned segments. Return notes on pins that cannot be sent."""
    pinned = _marked(draft, positions)
    policy = settings["policy"].winner
    if pinned and policy.value == "none" and policy.layer is LayerName.ENVIRONMENT:
        return (warning(Rule.PINS_UNDER_NONE),)
    places: set[int] = set()
    too_many: list[Segment] = []
    too_large: list[Segment] = []
    room = budget.soft // SHARE
    for part in reversed(pinned):
        if len(places) == MOST_PINS:
            too_many.append(part)
        elif part.tokens > room:
            too_large.append(part)
        else:
            places.add(part.position)
            room -= part.tokens
    if places:
        draft.keep_always(lambda part: part.position in places, PINNED)
    return (
        *_refused(too_many, Rule.TOO_MANY_PINS, most=MOST_PINS),
        *_refused(too_large, Rule.PINS_TOO_LARGE),
    )


def _is_system(part: Segment) -> bool:
    return part.messages[0].role is Role.SYSTEM


def _refused(parts: Sequence[Segment], rule: Rule, **figures: int) -> tuple[Note, ...]:
    """Return one note on all of these segments, which are listed newest first."""
    positions = [part.position for part in reversed(parts)]
    return (warning(rule, positions=positions, **figures),) if parts else ()


def _marked(draft: Draft, positions: frozenset[int]) -> list[Segment]:
    """Return the marked segments before the current turn, which is always sent whole."""
    if not positions:
        return []
    past = (part for part in draft.live if part.position < draft.first_current)
    return [p for p in past if any(m.position in positions for m in p.messages)]
