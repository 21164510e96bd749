"""The rows of the map: one for each message, folded run and injected text, in request order."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from history.core.plan.injected import entry_label
from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import SENT, Verdict
from history.models import ContextPlan
from history.services.explain.map.lines import MessageLine, read_lines
from history.services.explain.map.parts import PartRow, part_rows
from history.services.explain.map.speakers import speakers_of
from history.services.explain.map.stretches import Stretch, stretches
from history.services.explain.window import window_start
from history.services.summaries.numbers import SummaryNumbers
from history.wording.names import (
    capitalised,
    group_count,
    injected_text,
    message_count,
    turns,
    window_starts,
)
from history.wording.reasons import reason_of


@dataclass(frozen=True, slots=True)
class InjectedRow:
    """A text that no message contains. It is not shown, since not every reader may see it. People
    read its `name`.
    """

    kind: ClassVar[str] = "injected"
    verdict: Verdict
    label: str
    tokens: int
    reason: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One message. `tokens` is what it costs in full. `sent` is None if only the sum of its run was
    recorded, not this message's part of that.
    """

    kind: ClassVar[str] = "message"
    verdict: Verdict
    position: int
    turn: int
    starts_turn: bool
    who: str
    text: str
    tokens: int
    sent: int | None
    reason: str
    parts: tuple[PartRow, ...] = ()

    @property
    def is_sent(self) -> bool:
        return self.verdict in SENT


@dataclass(frozen=True, slots=True)
class FoldRow:
    """A run of messages in one row. `verdicts` has every letter that occurs in the run."""

    kind: ClassVar[str] = "fold"
    verdicts: tuple[Verdict, ...]
    first: int
    last: int
    summary: str
    tokens: int
    reason: str

    @property
    def count(self) -> int:
        return self.last - self.first + 1

    @property
    def letters(self) -> str:
        return "".join(self.verdicts)


@dataclass(frozen=True, slots=True)
class StartRow:
    """The line at which the window starts."""

    kind: ClassVar[str] = "start"
    sentence: str


Row: TypeAlias = InjectedRow | MessageRow | FoldRow | StartRow


def map_rows(record: ContextPlan, plan: Plan) -> list[Row]:
    """Build the whole map; `folded_rows` opens its folded runs."""
    between, after = _between(plan, _numbers(record))
    return [*_history_rows(record, plan, stretches(plan), between), *after]


def folded_rows(record: ContextPlan, plan: Plan, parts: Sequence[Stretch]) -> list[Row]:
    """Build the rows inside a folded run, without those before it, which are shown already."""
    between, _ = _between(plan, _numbers(record))
    between.pop(parts[0].first, None)
    return list(_history_rows(record, plan, parts, between))


def span(count: int, first_turn: int, last_turn: int) -> str:
    """Write a run as `7 messages, turns 1` to `4`, with a dash in between."""
    return f"{message_count(count)}, {turns(first_turn, last_turn)}"


def _numbers(record: ContextPlan) -> SummaryNumbers:
    return SummaryNumbers(record.generation.conversation_id)


def _between(plan: Plan, numbers: SummaryNumbers) -> tuple[dict[int, list[Row]], list[Row]]:
    """Return rows that are no messages, by the position that follows them, and those at the end."""
    between: dict[int, list[Row]] = {}
    waiting: list[Row] = []
    start = window_start(plan)
    for entry in plan.entries:
        if entry.verdict is Verdict.INJECTED:
            waiting.append(_injected_row(entry, numbers))
            continue
        line = [StartRow(window_starts(entry.first_turn or 0))] if entry is start else []
        if waiting or line:
            between[entry.positions[0]] = [*waiting, *line]
            waiting = []
    return between, waiting


def _injected_row(entry: Entry, numbers: SummaryNumbers) -> InjectedRow:
    label, reason = entry_label(entry), capitalised(reason_of(entry))
    name = injected_text(numbers.label(label))
    return InjectedRow(entry.verdict, label, entry.sent_tokens, reason, name)


def _history_rows(
    record: ContextPlan, plan: Plan, parts: Sequence[Stretch], between: Mapping[int, Sequence[Row]]
) -> Iterator[Row]:
    speakers = speakers_of(record.generation)
    lines = read_lines(record.branch, record.head, _positions(parts), speakers)
    numbers = _numbers(record)
    history = [numbers.entry(entry) for entry in plan.entries if entry.positions]
    plan = replace(plan, reasoning=numbers.rule(plan.reasoning))
    for part in parts:
        if part.is_folded:
            yield from between.get(part.first, ())
            yield _fold_row(part, _covering(history, part), lines, between)
            continue
        for position in range(part.first, part.last + 1):
            yield from between.get(position, ())
            entry, model = _entry_at(history, position), record.parameters["model"]
            yield _message_row(plan, entry, lines[position], model)


def _positions(parts: Iterable[Stretch]) -> list[int]:
    """Return the positions to read. Of a folded run only the ends are needed, since running sums
    give its tokens.
    """
    return [
        position
        for part in parts
        for position in (
            (part.first, part.last) if part.is_folded else range(part.first, part.last + 1)
        )
    ]


def _entry_at(history: Sequence[Entry], position: int) -> Entry:
    return history[bisect_right(history, position, key=lambda entry: entry.positions[0]) - 1]


def _covering(history: Sequence[Entry], part: Stretch) -> list[Entry]:
    return [e for e in history if e.positions[0] <= part.last and e.positions[-1] >= part.first]


def _message_row(plan: Plan, entry: Entry, line: MessageLine, model: str) -> MessageRow:
    return MessageRow(
        verdict=entry.verdict,
        position=line.position,
        turn=line.turn,
        starts_turn=line.starts_turn,
        who=line.who,
        text=line.text,
        tokens=entry.whole if entry.parts else line.tokens,
        sent=_sent(entry, line),
        reason=capitalised(reason_of(entry, span=(line.turn, line.turn))),
        parts=tuple(part_rows(plan, entry, line, model)),
    )


def _sent(entry: Entry, line: MessageLine) -> int | None:
    if entry.sent_tokens == entry.tokens:
        return line.tokens
    if entry.sent_tokens == 0 or entry.count == 1:
        return entry.sent_tokens
    return None


def _fold_row(
    part: Stretch,
    entries: Sequence[Entry],
    lines: Mapping[int, MessageLine],
    between: Mapping[int, Sequence[Row]],
) -> FoldRow:
    """Fold a run. If texts are injected inside it, the row has their letter, too, so that the map's
    filter finds them.
    """
    first, last = lines[part.first], lines[part.last]
    alike = all(entry.grounds == entries[0].grounds for entry in entries)
    inside = any(part.first < position <= part.last for position in between)
    verdicts = [*(entry.verdict for entry in entries), *([Verdict.INJECTED] if inside else [])]
    return FoldRow(
        verdicts=tuple(dict.fromkeys(verdicts)),
        first=part.first,
        last=part.last,
        summary=span(part.count, first.turn, last.turn),
        tokens=last.through - first.through + first.tokens,
        reason=capitalised(reason_of(entries[0])) if alike else group_count(len(entries)),
    )
