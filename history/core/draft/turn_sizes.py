"""The tokens of each turn, in the form in which its segments would be sent."""

from collections.abc import Sequence
from itertools import accumulate, groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from history.core.draft.draft import Draft
from history.core.transcript.messages import Role
from history.core.transcript.segments import Segments, flat


class TurnSize(NamedTuple):
    """The size of one remaining turn; the transcript has `before` tokens before this turn.

    `tokens` (of this turn) and `onward` (of this turn and all after it) are compared with the
    budget; `sent` are the tokens that would really be sent from this turn on. `complete`: the turn
    contains an answer with text. `cold`: the provider's cache had expired when the turn began.
    """

    turn: int
    start: int
    onward: int
    sent: int
    before: int
    parts: Segments

    @property
    def tokens(self) -> int:
        return sum(part.tokens for part in self.parts)

    @property
    def complete(self) -> bool:
        return any(m.role is Role.ASSISTANT and m.has_text for m in flat(self.parts))

    @property
    def cold(self) -> bool:
        return any(m.cold and m.role is Role.USER for m in flat(self.parts))


Turns: TypeAlias = Sequence[TurnSize]


def turn_sizes(draft: Draft, sizes: Segments, sent_segments: Segments) -> list[TurnSize]:
    """Return the sizes of the live turns, the current one last; empty before any user message.

    `sizes` has the segments as they are counted for the budget, `sent_segments` as they would be
    sent.
    """
    turns: list[TurnSize] = []
    place, budgeted = 0, onward(sizes)
    going = budgeted if sent_segments is sizes else onward(sent_segments)
    for turn, parts in groupby(sizes, attrgetter("turn")):
        span = tuple(parts)
        start = span[0].position
        before = draft.tokens_before[start]
        size = TurnSize(turn, start, budgeted[place], going[place], before, span)
        turns.append(size)
        place += len(span)
    return [*turns, _nobody_asked(draft)] if turns and not draft.last_turn else turns


def _nobody_asked(draft: Draft) -> TurnSize:
    """Return the size of an empty current turn, for a transcript without any user message."""
    return TurnSize(0, draft.end, 0, 0, sum(i.tokens for i in draft.transcript), ())


def onward(parts: Segments) -> list[int]:
    """Return, for each place in the list, the tokens from there to the end."""
    return list(accumulate([part.tokens for part in reversed(parts)]))[::-1]


def tail_sums(parts: Segments, count: int) -> dict[str, Any]:
    """Return the tokens of the `count` newest segments and, as `beyond`, the places of the next
    older segment and the tokens with it.
    """
    out, rest = parts[-count - 1], parts[len(parts) - count :]
    places = [] if out.is_note else [out.position, out.messages[-1].position]
    size = sum(part.tokens for part in rest)
    return {"tokens": size, "beyond": {"places": places, "tokens": size + out.tokens}}
