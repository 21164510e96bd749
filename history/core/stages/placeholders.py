"""Replace old tool results by a placeholder; the newest stay whole. Ids and places stay."""

from collections.abc import Callable
from dataclasses import replace

from history.core.clamp import FRAME, Count
from history.core.draft.rulings import Ruling
from history.core.facts import Rule, fact
from history.core.messages import Message, Role
from history.core.plan.plan import Verdict
from history.core.segments import Segment, Segments, flat

PLACEHOLDER = "[Omitted]"
WHY = (fact(Rule.PLACEHOLDER, text=PLACEHOLDER),)


def oldest_whole(live: Segments, keep: int, stride: int, ordinal: Callable[[Message], int]) -> int:
    """Count the results, from the transcript's start, that become placeholders if sent.

    The newest round is whole while no answer follows it: the model has not seen it yet. `ordinal`
    says how many results the transcript holds before one.
    """
    results = [message for message in flat(live) if message.role is Role.TOOL]
    whole = max(keep, len(live[-1].results) if live else 0)
    plain = _first_whole(results, whole, ordinal)
    cold = _last_cold(live)
    free = [message for message in results if message.position < cold]
    return max(plain // stride * stride, _first_whole(free, keep, ordinal))


def with_placeholders(
    live: Segments, whole_from: int, ordinal: Callable[[Message], int], tokens: int
) -> Segments:
    """Replace the results before `whole_from`; `tokens` is the cost of a placeholder."""

    def shortened(message: Message) -> Message:
        if message.role is not Role.TOOL or ordinal(message) >= whole_from:
            return message
        return replace(message, text=PLACEHOLDER, tokens=tokens)

    return tuple(
        [
            Segment(tuple(map(shortened, part.messages)), part.repairs)
            if len(part.messages) > 1
            else part
            for part in live
        ]
    )


def cost(count: Count) -> int:
    """Count a placeholder's tokens."""
    return FRAME + count(PLACEHOLDER)


def ruling(message: Message, now: Message | None) -> Ruling:
    return Ruling(Verdict.PLACEHOLDER, "placeholders", "tool_results_keep", WHY)


def _first_whole(results: list[Message], keep: int, ordinal: Callable[[Message], int]) -> int:
    return ordinal(results[-keep]) if len(results) > keep else 0


def _last_cold(live: Segments) -> int:
    """Find the last cold gap: the cache has expired, so moving what precedes it costs nothing."""
    return max((m.position for m in flat(live) if m.cold), default=0)
