"""The pruners, which leave out the oldest turns, each as a whole, if the history is over its
budget.

A pruner only names the first turn that it would keep; `prune` decides which turns must stay anyway,
and what to do if the history still does not fit. A new pruner is a function here, and a line in
`PRUNERS`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

from history.core.draft.budget import Budget
from history.core.draft.draft import Draft
from history.core.draft.rulings import Ruling
from history.core.draft.turn_sizes import Turns
from history.core.plan.verdict import Verdict
from history.core.settings import registry
from history.core.settings.resolved import Settings
from history.core.settings.steps import KEPT, follows
from history.core.words.facts import Note, Rule, fact, note, warning

# A pruner gets turns, settings and budget, and returns the place of the first turn to keep.
Pruner: TypeAlias = Callable[[Turns, Settings, int], int]


@dataclass(frozen=True, slots=True)
class PruningResult:
    """The result of pruning. `tokens` is the size of the kept turns, as compared with the budget.

    `over`: the budget was exceeded. `cut`: turns were left out for that. `protects`: earlier turns
    exceed the budget but must stay. `exposed`: the first and the last turn kept, if
    `min_history_turns` protects more turns than these; empty if no turn is kept. `ruling` makes the
    ruling for a given size, which changes if messages that were to be shortened are sent whole.
    """

    over: bool
    tokens: int
    cut: bool = False
    protects: bool = False
    exposed: Sequence[int] | None = None
    ruling: Callable[[int], Ruling] | None = None


def fifo(turns: Turns, settings: Settings, budget: int) -> int:
    """Keep the longest run of newest turns that fits the budget."""
    return _fitting([part.onward for part in turns], budget)


def sliding_window(turns: Turns, settings: Settings, budget: int) -> int:
    """Keep as many of the newest turns as the setting says. If these exceed the budget, `_start`
    cuts them as `fifo` would.
    """
    count, stride = settings.value("sliding_window_turns"), settings.value("length_stride")
    cold = max((part.turn for part in turns if part.cold), default=0)
    before = max((turns[-1].turn - count) // stride * stride, cold - count)
    return next((n for n, part in enumerate(turns) if part.turn > before), len(turns) - 1)


PRUNERS: Mapping[str, Pruner] = {
    "fifo": fifo,
    "sliding_window": sliding_window,
    "summarize": fifo,
}


def prune(draft: Draft, turns: Turns, settings: Settings, budget: Budget) -> PruningResult:
    """Leave out turns if the draft is over its budget, and say what was done.

    Raise NeedsMore if a message that was not read may be sent.
    """
    total = turns[0].onward if turns else 0
    if total <= budget.soft or not turns:
        draft.require(reaches=False)
        return PruningResult(over=False, tokens=total)
    protected = protected_from(draft, turns, settings, budget)
    start = _start(draft, turns, protected, settings, budget)
    tokens = turns[start].onward
    ruling = partial(_ruling, turns, start, settings, budget)
    if has_cut := start > 0 or bool(draft.unread):
        draft.cut(turns[start].start, ruling(tokens))
    last = len(turns) - 1
    return PruningResult(
        over=True,
        tokens=tokens,
        cut=has_cut,
        protects=tokens > budget.soft and start < last,
        exposed=_kept_turns(turns, start) if start > protected else None,
        ruling=ruling if has_cut else None,
    )


def protected_from(draft: Draft, turns: Turns, settings: Settings, budget: Budget) -> int:
    """Return the place from which `min_history_turns` complete turns precede the current turn.

    A token stride protects further turns, back to a point on its grid, so that the place does not
    move with every turn. If the window has no room for that many turns, return the place of the
    first turn that was read.
    """
    count: int = settings.value("min_history_turns")
    if count == 0:
        return len(turns) - 1
    newest_first = (n for n in range(len(turns) - 2, -1, -1) if turns[n].complete)
    if (oldest := next(islice(newest_first, count - 1, None), None)) is not None:
        point = _grid_point(turns[oldest].before, settings)
        draft.require(reaches=turns[0].before <= point)
        return next(n for n, turn in enumerate(turns) if turn.before >= point)
    draft.require(reaches=turns[0].sent > budget.hard)
    return 0


def moves_in_steps(settings: Settings) -> bool:
    """Whether the window moves in steps that somebody has set. If so, the budget is compared with
    stored sizes, so that later shortening cannot move the window's start back. Steps that follow
    from the prefix leave out no more than the budget requires.
    """
    by_turns = settings.value("pruner") == "sliding_window"
    strides = ["token_stride", *(["length_stride"] if by_turns else [])]
    strides += [stride for keep, stride in KEPT.items() if settings.value(keep)]
    own = (settings[stride] for stride in strides if not follows(settings[stride]))
    return any(stride.value > 1 for stride in own)


def notes(
    pruned: PruningResult, tokens: int, settings: Settings, budget: Budget, *, waits: bool
) -> Iterator[Note]:
    """Yield the notes on the budget for the plan.

    `tokens` is the final size of all messages; `waits` is as in `ProjectionRequest`.
    """
    room = max(0, budget.soft)
    if pruned.cut and settings.value("pruner") == "summarize":
        yield note(Rule.SUMMARY_IS_DUE, waits=waits)
    if tokens > budget.soft:
        yield warning(Rule.OVER_BUDGET, tokens=tokens, budget=room, why=_why_over(pruned))
    elif not pruned.over:
        yield note(Rule.WITHIN_BUDGET, tokens=tokens, budget=room)
    if pruned.exposed is not None:
        least = settings.value("min_history_turns")
        yield note(Rule.TURNS_EXPOSED, least=least, kept=pruned.exposed)


def _why_over(pruned: PruningResult) -> str:
    if pruned.protects:
        return "protected"
    return "current" if pruned.over else "running"


def _start(draft: Draft, turns: Turns, protected: int, settings: Settings, budget: Budget) -> int:
    """Return the place of the first turn to keep; everything before it is left out."""
    name = settings.value("pruner")
    # A pruner that an extension registered may look at every turn.
    draft.require(reaches=name in PRUNERS)
    pruner = PRUNERS.get(name) or registry.pruners[name]
    place = min(max(0, pruner(turns, settings, budget.soft)), len(turns) - 1)
    fitting = max(place, _on_grid(turns, fifo(turns, settings, budget.soft), settings))
    possible = _fitting([part.sent for part in turns], budget.hard)
    start = max(min(fitting, protected), possible)
    draft.require(reaches=start > 0)
    return start


def _fitting(onward: list[int], budget: int) -> int:
    """Return the place of the first turn to keep: as many before the current turn as fit."""
    place = len(onward) - 1
    while place > 0 and onward[place - 1] <= budget:
        place -= 1
    return place


def _on_grid(turns: Turns, start: int, settings: Settings) -> int:
    """Return the place of the first turn at or after the next point on the grid of tokens."""
    stride = settings.value("token_stride")
    if start == 0 or stride == 1:
        return start
    point = (turns[start - 1].before // stride + 1) * stride
    on = (n for n in range(start, len(turns)) if turns[n].before >= point)
    return next(on, len(turns) - 1)


def _grid_point(before: int, settings: Settings) -> int:
    """Round a number of tokens down to the grid. But if somebody set a token budget and the grid
    only follows from the prefix, don't round: that would protect more turns than the budget allows.
    """
    stride, budget = settings["token_stride"], settings.value("token_budget")
    if budget is not None and follows(stride):
        return before
    return before // int(stride.value) * int(stride.value)


def _ruling(turns: Turns, start: int, settings: Settings, budget: Budget, tokens: int) -> Ruling:
    """Return the ruling on a cut, also with the size that keeping the newest omitted turn would
    make.
    """
    room = max(0, budget.soft)
    figures: dict[str, Any] = {"kept": _kept_turns(turns, start), "tokens": tokens, "budget": room}
    if start > 0:
        out = turns[start - 1]
        more = out.onward - turns[start].onward
        figures["beyond"] = {"turn": out.turn, "tokens": tokens + more}
    reasons = (fact(Rule.BUDGET, **_pruner(settings), **figures),)
    return Ruling(Verdict.TRIMMED, "budget", budget.setting, reasons)


def _kept_turns(turns: Turns, start: int) -> list[int]:
    """Return the first and last turn kept if all from `start` on is kept; empty if none is."""
    is_none = start == len(turns) - 1 and not turns[start].parts
    return [] if is_none else [turns[start].turn, turns[-1].turn]


def _pruner(settings: Settings) -> dict[str, Any]:
    """Return the pruner's name, and the size and the strides of its window."""
    options = {"pruner": settings.value("pruner"), "token_stride": settings.value("token_stride")}
    if options["pruner"] != "sliding_window":
        return options
    size, stride = settings.value("sliding_window_turns"), settings.value("length_stride")
    return {**options, "size": size, "turn_stride": stride}
