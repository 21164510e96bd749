"""What goes when the history is over its budget: whole turns, the oldest first.

A pruner only says from which turn on it would keep; the turns that must survive, and what still
does not fit, are `Pruning`'s. A new one is a function here, and a line in `PRUNERS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from history.core import registry
from history.core.budget import Budget
from history.core.draft import Draft
from history.core.messages import Role
from history.core.plan import Verdict
from history.core.resolution import Settings
from history.core.rows import Ruling
from history.core.segments import Segments, flat
from history.core.wording import number, turns


@dataclass(frozen=True, slots=True)
class TurnSize:
    """One turn of what is left. `before` is what the transcript holds before it, in tokens.

    `complete`: it has an answer in words. `cold`: the cache was gone when it began.
    """

    turn: int
    start: int
    tokens: int
    before: int
    complete: bool
    cold: bool


Turns: TypeAlias = Sequence[TurnSize]
Pruner: TypeAlias = Callable[[Turns, Settings, int], int]
"""From the turns, the settings and the budget to the place of the first turn it would keep."""


def fifo(given: Turns, settings: Settings, budget: int) -> int:
    """The longest run of newest turns that fits."""
    return _fitting(given, budget)


def sliding_window(given: Turns, settings: Settings, budget: int) -> int:
    """The newest turns, as many as the setting says; `fifo` for what is still over."""
    kept, stride = settings.value("sliding_window_turns"), settings.value("length_stride")
    cold = max((part.turn for part in given if part.cold), default=0)
    before = max((given[-1].turn - kept) // stride * stride, cold - kept)
    return next((n for n, part in enumerate(given) if part.turn > before), len(given) - 1)


PRUNERS: Mapping[str, Pruner] = {
    "fifo": fifo,
    "sliding_window": sliding_window,
    "summarize": fifo,
}


def prune(
    draft: Draft, sizes: Segments, unread: int | None, settings: Settings, budget: Budget
) -> tuple[str, ...]:
    """Cut the draft where it is over its budget, and say what was done.

    `sizes` are the segments as they would be sent, `unread` the tokens of what would be sent unread
    before them. Raises NeedsMore where the budget would hold more than was read, and that is None.
    """
    given = _turns(draft, sizes)
    total = sum(part.tokens for part in given)
    if total <= budget.soft:
        draft.require(reaches=unread is not None)
        total += unread or 0
    if total <= budget.soft:
        return (f"within budget: {number(total)} of {number(budget.soft)} tokens",)
    if not given:
        return ()
    start = _start(draft, given, settings, budget)
    kept = sum(part.tokens for part in given[start:])
    if start > 0 or draft.unread:
        draft.cut(given[start].start, _ruling(given, start, kept, settings, budget))
    due = ("over budget: a summary is due",) if settings.value("pruner") == "summarize" else ()
    if kept <= budget.soft:
        return due
    over = f"{number(kept)} tokens are kept though the budget is {number(max(0, budget.soft))}"
    return (*due, f"{over}: the newest turns are protected by min_history_turns")


def _start(draft: Draft, given: Turns, settings: Settings, budget: Budget) -> int:
    """The place of the first turn that is kept; everything before it goes."""
    name = settings.value("pruner")
    draft.require(reaches=name in PRUNERS)  # One of one's own may look at every turn.
    pruner = PRUNERS.get(name) or registry.pruners()[name]
    wanted = min(max(0, pruner(given, settings, budget.soft)), len(given) - 1)
    fitting = max(wanted, _on_grid(given, _fitting(given, budget.soft), settings))
    protected = _protected(draft, given, settings, budget)
    start = max(min(fitting, protected), _fitting(given, budget.hard))
    draft.require(reaches=start > 0)
    return min(start, len(given) - 1)


def _fitting(given: Turns, budget: int) -> int:
    """The current turn always stays; then as many before it as fit."""
    tokens = given[-1].tokens
    for place in range(len(given) - 2, -1, -1):
        tokens += given[place].tokens
        if tokens > budget:
            return place + 1
    return 0


def _on_grid(given: Turns, start: int, settings: Settings) -> int:
    """The first turn at or after the next point of a grid of tokens, counted from the start."""
    stride = settings.value("token_stride")
    if start == 0 or stride == 1:
        return start
    point = (given[start - 1].before // stride + 1) * stride
    on = (n for n in range(start, len(given)) if given[n].before >= point)
    return next(on, len(given) - 1)


def _grid_point(before: int, settings: Settings) -> int:
    """At or before a place in tokens."""
    stride: int = settings.value("token_stride")
    return before // stride * stride


def _protected(draft: Draft, given: Turns, settings: Settings, budget: Budget) -> int:
    """The place from which on `min_history_turns` complete turns follow, before the current one.

    With a token stride as many more as keep it on the grid, so that it does not move every turn.
    """
    wanted: int = settings.value("min_history_turns")
    if wanted == 0:
        return len(given) - 1
    complete = [n for n, part in enumerate(given[:-1]) if part.complete]
    if len(complete) >= wanted:
        point = _grid_point(given[complete[-wanted]].before, settings)
        draft.require(reaches=given[0].before <= point)
        return next(n for n, part in enumerate(given) if part.before >= point)
    draft.require(reaches=sum(part.tokens for part in given) > budget.hard)
    return 0


def _turns(draft: Draft, sizes: Segments) -> list[TurnSize]:
    """The turns of what the flow holds, the current one last."""
    found = []
    for turn, parts in groupby(sizes, lambda part: part.turn):
        run = list(parts)
        messages = list(flat(run))
        place = run[0].position
        found.append(
            TurnSize(
                turn=turn,
                start=place,
                tokens=sum(part.tokens for part in run),
                before=draft.tokens_before[place],
                complete=any(m.role is Role.ASSISTANT and m.has_text for m in messages),
                cold=any(m.cold and m.role is Role.USER for m in messages),
            )
        )
    return found


def _ruling(given: Turns, start: int, kept: int, settings: Settings, budget: Budget) -> Ruling:
    """With the arithmetic of the first turn that is out."""
    name = settings.value("pruner")
    names = turns(given[start].turn, given[-1].turn)
    reason = f"{name} keeps {names}: {number(kept)} of {number(max(0, budget.soft))} tokens"
    if start > 0:
        more = kept + given[start - 1].tokens
        reason += f"; with turn {given[start - 1].turn} {number(more)}"
    return Ruling(Verdict.TRIMMED, "budget", budget.setting, reason)
