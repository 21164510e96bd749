"""What segments cost as they would be sent: of calls with one id only the first goes out."""

from collections.abc import Sequence, Set
from itertools import accumulate, groupby
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from history.core.draft import Draft, NeedsMore
from history.core.messages import Role, Unread
from history.core.segments import Segment, Segments, flat
from history.core.wording import messages, number


class TurnSize(NamedTuple):
    """One turn of what is left. `before` is what the transcript holds before it, in tokens.

    `tokens` and `onward`, which is of this turn and all that follow, are held against the budget;
    `sent` is the same as would go out. `complete`: it has an answer in words. `cold`: the cache was
    gone when it began. What is sent unread has no parts, and may be several turns.
    """

    turn: int
    start: int
    onward: int
    sent: int
    before: int
    parts: Segments
    last_turn: int

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


def turn_sizes(draft: Draft, sizes: Segments, sent: Segments) -> list[TurnSize]:
    """The turns of what the flow holds, the current one last. Both are the same segments."""
    found: list[TurnSize] = []
    place, budgeted = 0, onward(sizes)
    going = budgeted if sent is sizes else onward(sent)
    for turn, parts in groupby(sizes, attrgetter("turn")):
        run = tuple(parts)
        start = run[0].position
        before = draft.tokens_before[start]
        size = TurnSize(turn, start, budgeted[place], going[place], before, run, turn)
        found.append(size)
        place += len(run)
    return found


def with_runs(
    draft: Draft, runs: Sequence[Unread], given: list[TurnSize], *, as_stored: bool
) -> list[TurnSize]:
    """With what stands before the turns and is sent unread; runs that share a turn are one."""
    found = given[::-1]
    for run in reversed(runs):
        held = run.tokens if as_stored else run.sent
        following = found[-1]
        shares = not following.parts and following.turn == run.last_turn
        size = TurnSize(
            turn=run.first_turn,
            start=run.first,
            onward=following.onward + held,
            sent=following.sent + run.sent,
            before=draft.tokens_before[run.first],
            parts=(),
            last_turn=following.last_turn if shares else run.last_turn,
        )
        found[-1 if shares else len(found) :] = [size]
    return found[::-1]


def first_read(given: Turns) -> int:
    """The place of the first turn that was read; the current one always was."""
    return next(place for place, part in enumerate(given) if part.parts)


def require_parted(given: Turns, start: int, room: int) -> None:
    """Raises NeedsMore where a cut before `start` may fall among turns that were not told apart.

    `room` is what is left for the newest of them.
    """
    before = given[start - 1] if start else None
    if before and before.turn != before.last_turn:
        raise NeedsMore(given[start].start, room)


def onward(parts: Segments) -> list[int]:
    """Tokens from each place to the end, if what stands before it does not go out.

    An earlier call takes a later one with its id out. The sums never shrink towards the front all
    the same, so that a bound that is exceeded stays exceeded however much more is read.
    """
    sizes = [part.tokens for part in parts]
    ids = [call.id for part in parts for call in part.messages[0].tool_calls]
    if len(set(ids)) == len(ids):
        return list(accumulate(reversed(sizes)))[::-1]
    holders: dict[str, int] = {}
    lost: dict[int, set[str]] = {}
    total, most, sums = 0, 0, [0] * len(parts)
    for place in range(len(parts) - 1, -1, -1):
        total += sizes[place]
        for call in parts[place].messages[0].tool_calls:
            if (later := holders.get(call.id)) is not None:
                lost.setdefault(later, set()).add(call.id)
                left = _tokens_without(parts[later], lost[later])
                total, sizes[later] = total + left - sizes[later], left
            holders[call.id] = place
        most = sums[place] = max(most, total)
    return sums


def tail_sums(parts: Segments, kept: int) -> str:
    """What the newest so many of them cost, and what they would with the one before: `70; 95 with
    messages 2 to 3`.
    """
    out, rest = parts[-kept - 1], parts[len(parts) - kept :]
    what = messages(out.position, out.messages[-1].position)
    if out.is_note:
        what = "a note"
    sizes = [onward(run)[0] if run else 0 for run in (rest, (out, *rest))]
    return f"{number(sizes[0])}; {number(sizes[1])} with {what}"


def _tokens_without(part: Segment, ids: Set[str]) -> int:
    head = part.messages[0]
    gone = [call for call in head.tool_calls if call.id in ids]
    if len(gone) == len(head.tool_calls) and not head.has_text:
        return 0
    own = max(0, head.tokens - sum(call.tokens for call in gone))
    return own + sum(m.tokens for m in part.messages[1:] if m.tool_call_id not in ids)
