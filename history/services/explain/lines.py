"""A plan as lines for a terminal: settings, window, map, notes, and the requests that were sent."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from agents.effective import contradictions
from history.core.money.cost import NONSENSE, UNKNOWN, Usage, dollars
from history.core.plan.injected import entry_label
from history.core.plan.plan import Entry
from history.core.plan.sent_parts import SentPart
from history.core.plan.verdict import SENT, Verdict
from history.core.transcript.parts import Image
from history.core.words.wording import number, printable
from history.services.explain.explanation import Explanation
from history.services.explain.map.rows import span
from history.services.explain.raw.wire import ShownWire
from history.services.explain.window import window_start
from history.services.summaries.numbers import SummaryNumbers
from history.wording.deciding.sources import sources_of
from history.wording.names import (
    injected_text,
    part_of_window,
    percentage,
    verdict_word,
    window_starts,
)
from history.wording.parts import kind_of
from history.wording.reasons import reason_of
from history.wording.remembering import length_range, length_unit
from history.wording.settings import SettingRow, in_groups, invalid_sentences, setting_rows
from history.wording.wires import attempt_title, body_line

RULE = "\N{BOX DRAWINGS LIGHT HORIZONTAL}"
WIDTH = 78
INDENT = "    "


def lines_of(explanation: Explanation) -> Iterator[str]:
    yield from _header(explanation)
    yield from _settings(explanation)
    yield from _window(explanation)
    yield from _map(explanation)
    yield from _notes(explanation)


def _header(explanation: Explanation) -> Iterator[str]:
    agent, settings = explanation.agent, explanation.plan.settings
    step = f", step {explanation.step}" if explanation.step else ""
    yield f"{agent.name} ({agent.source}) \N{MIDDLE DOT} {agent.model}"
    yield f"turn {explanation.turn} of {explanation.turns}{step}"
    if explanation.is_stored:
        yield explanation.headline
    yield ""
    yield f"  Policy    {settings.value('policy')}"
    yield f"  Length    {length_range(settings)} {length_unit(settings)}"
    yield f"  Source    {', '.join(sources_of(settings))}"
    yield f"  Messages  {explanation.sent}"


def _settings(explanation: Explanation) -> Iterator[str]:
    """List the settings that somebody changed one by one, and the others in one line per group."""
    yield from title("settings")
    settings = setting_rows(explanation.plan.settings)
    own = [row for row in settings if not row.is_default]
    width = max((len(_named(row)) for row in own), default=0)
    for group, rows in in_groups(own):
        yield f"  {group}"
        for row in rows:
            yield from _setting(row, width)
    for group, rows in in_groups(row for row in settings if row.is_default):
        values = ", ".join(f"{_named(row)} {row.value}" for row in rows)
        yield f"  {group}, left at defaults: {values}"


def _named(row: SettingRow) -> str:
    """Name a setting as all pages do, and in brackets as `--set` takes it."""
    return f"{row.label} ({row.name})"


def _setting(row: SettingRow, width: int) -> Iterator[str]:
    lock = f" [{row.lock}]" if row.lock else ""
    yield f"    {_named(row):<{width}} {row.value:>9}  <- {row.source}{lock}"
    for loser in row.losers:
        yield f"    {'':<{width}} {'x ' + loser.value:>9}  {loser.source}: {loser.rule}"


def _window(explanation: Explanation) -> Iterator[str]:
    window = explanation.plan.window
    sent_tokens, whole = number(window.sent), number(window.context_window)
    became = "sent" if explanation.has_left else "planned, not sent"
    share = percentage(window.percent)
    yield from title(f"window: {sent_tokens} of {whole} tokens {became} ({share})")
    for part in explanation.parts:
        yield f"  {part_of_window(part.name):<25} {number(part.tokens):>9}  {part.percent:>6.2f}%"
    yield f"  {explanation.sums}"
    if explanation.budget:
        yield f"  {explanation.budget}"
    yield from (f"  {line}" for line in explanation.reasoning)
    if explanation.calibration:
        yield f"  {explanation.calibration}"
    yield f"  {explanation.usage}"
    yield f"  {bill_line(explanation.reported, explanation.cost)}"


def _map(explanation: Explanation) -> Iterator[str]:
    yield from title(f"map: {explanation.sent}")
    start = window_start(explanation.plan)
    for entry in explanation.plan.entries:
        if entry is start:
            yield f"  {RULE * 3} {window_starts(entry.first_turn or 0)}"
        yield f"  {_entry(explanation.numbers.entry(entry), explanation.numbers)}"
        factor = explanation.plan.factor
        yield from (f"    {_part(part, factor)}" for part in entry.parts)


def _entry(entry: Entry, numbers: SummaryNumbers) -> str:
    """Write a run in one line: verdict, name, tokens in full, and tokens sent if different."""
    if not entry.positions:
        name = injected_text(numbers.label(entry_label(entry)))
        return _columns(entry, name, number(entry.sent_tokens))
    tokens = number(entry.whole)
    if entry.verdict in SENT and entry.sent_tokens != entry.whole:
        tokens = f"{tokens}->{number(entry.sent_tokens)}"
    turns = span(entry.count, entry.first_turn or 0, entry.last_turn or 0)
    return _columns(entry, turns, tokens)


def _part(part: SentPart, factor: float) -> str:
    """Write a part in its message's columns. Of an image, `factor` makes the model's own tokens."""
    is_image = part.kind == Image.kind and not part.omitted
    tokens = round(part.tokens * factor) if is_image else part.tokens
    letter = Verdict.PLACEHOLDER if part.omitted else Verdict.KEPT
    return f"{letter} {verdict_word(letter):<9} {kind_of(part.kind):<30} {number(tokens):>9}"


def _columns(entry: Entry, what: str, tokens: str) -> str:
    verdict = f"{entry.verdict} {verdict_word(entry.verdict)}"
    return f"{verdict:<13} {what:<30} {tokens:>9}  {reason_of(entry)}".rstrip()


def _notes(explanation: Explanation) -> Iterator[str]:
    settings = explanation.plan.settings
    conflicts = (f"conflict: {sentence}" for sentence in contradictions(settings))
    own = (note.sentence for note in explanation.notes)
    notes = [*own, *invalid_sentences(settings), *conflicts]
    if notes:
        yield from title("notes")
        yield from (f"  {note}" for note in notes)


def title(text: str) -> Iterator[str]:
    yield ""
    yield f"{RULE * 2} {text} ".ljust(WIDTH, RULE)


def bill_line(reported: Mapping[str, int] | None, cost: Mapping[str, Any] | None) -> str:
    """Write the tokens of an outcome as reported and its cost as stored; a dash if unknown."""
    report = reported or {}
    usage = None if reported is None else Usage.reported(reported)
    fresh, output = (usage.fresh, usage.output) if usage else (None, None)
    read, write = report.get("cache_read"), report.get("cache_write")
    money = dollars(Decimal(cost["total"]) if cost else None)
    note = f" ({NONSENSE})" if usage and fresh is None else ""
    tokens = f"new {_figure(fresh)}, cache read {_figure(read)}, cache write {_figure(write)}"
    return f"{tokens}, output {_figure(output)} \N{MIDDLE DOT} cost {money}{note}"


def _figure(tokens: int | None) -> str:
    return UNKNOWN if tokens is None else number(tokens)


def wire_lines(wires: Sequence[ShownWire], why_none: str) -> Iterator[str]:
    """Write each attempt, and what the library changed in the last one; `why_none` without
    attempts.
    """
    yield from title("what left")
    if not wires:
        yield f"  {why_none}"
    for wire in wires:
        yield from _attempt(wire)
    for wire in wires[-1:]:
        yield from _differences(wire)


def _attempt(wire: ShownWire) -> Iterator[str]:
    yield f"  {attempt_title(wire.attempt, wire.status, left=wire.left)}"
    yield f"{INDENT}{wire.method} {wire.address}"
    yield f"{INDENT}{body_line(wire.size, wire.digest)}"
    if wire.said:
        yield f"{INDENT}the provider said: {printable(wire.said, len(wire.said))}"


def _differences(wire: ShownWire) -> Iterator[str]:
    """Write how the last attempt differs from the request that was handed to the library."""
    sentences = wire.sentences
    if sentences is None:
        yield "  The current planner can't rebuild this request, so it can't be compared."
    else:
        yield f"  The library changed before sending: {number(len(sentences))}"
        yield from (f"{INDENT}{sentence}" for sentence in sentences)
