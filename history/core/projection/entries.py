"""The plan of a finished projection: its entries in the order of the request, sums and losses."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from history.core.plan.injected import (
    SYSTEM_PROMPT,
    TOOL_SCHEMAS,
    Injected,
    entries,
    entry,
    past_entry,
    with_past,
)
from history.core.plan.plan import Counts, Entry
from history.core.plan.verdict import PRESERVE, SENT, Verdict
from history.core.plan.window import WindowSums
from history.core.projection.request import ProjectionRequest
from history.core.settings.resolved import Settings
from history.core.words.facts import Note, Rule, warning

NOT_LOST = SENT | {Verdict.REPAIRED, Verdict.INJECTED}


def all_entries(
    history: tuple[Entry, ...],
    injected: Sequence[Injected],
    tools: tuple[Entry, ...],
    last_turn: int,
) -> tuple[Entry, ...]:
    """Put the texts of this turn before the turn's first entry, and texts of past turns before the
    first entry of each of those.
    """
    firsts = (n for n, entry in enumerate(history) if entry.first_turn == last_turn)
    place = next(firsts, len(history))
    return (
        *_ahead(injected, tools),
        *_with_past(history[:place], [text for text in injected if text.turn <= last_turn]),
        *entries(injected, "turn"),
        *_with_past(history[place:], [text for text in injected if text.turn > last_turn]),
        *entries(injected, "end"),
    )


def window_sums(
    history: tuple[Entry, ...],
    injected: Sequence[Injected],
    schemas: int,
    settings: Settings,
    factor: float,
) -> WindowSums:
    prompt = sum(text.tokens for text in injected if text.label.startswith(SYSTEM_PROMPT))
    summaries = sum(text.tokens for text in injected if text.is_summary)
    sums = WindowSums(
        context_window=settings.value("context_window"),
        system_prompt=prompt,
        tool_schemas=schemas,
        injected=sum(text.tokens for text in injected) - prompt - summaries,
        history=sum(entry.sent_tokens for entry in history),
        output_reserve=settings.value("output_reserve"),
        summaries=summaries,
    )
    return replace(sums, calibration=round(sums.counted * (factor - 1)), **_by_kind(history))


def _by_kind(history: Iterable[Entry]) -> dict[str, int]:
    """Return the tokens sent of reasoning, images and files; placeholders count as texts."""
    parts = [part for entry in history for part in entry.parts if not part.omitted]
    kinds = {"reasoning": "reasoning", "image": "images", "file": "files"}
    return {name: sum(p.tokens for p in parts if p.kind == kind) for kind, name in kinds.items()}


def counts(history: tuple[Entry, ...], last_turn: int) -> Counts:
    """Count messages by verdict. `trimmed` counts every message that a stage left out, except
    repaired ones.
    """
    numbers = dict.fromkeys(Verdict, 0)
    for row in history:
        numbers[row.verdict] += row.count
    every = frozenset(Verdict) - {Verdict.INJECTED}
    return Counts(
        transcript=sum(numbers[verdict] for verdict in every),
        sent=sum(numbers[verdict] for verdict in SENT),
        trimmed=sum(numbers[verdict] for verdict in every - NOT_LOST),
        repaired=numbers[Verdict.REPAIRED],
        last_turn=last_turn,
    )


def schemas_entry(tokens: int, digest: str) -> tuple[Entry, ...]:
    """Return the entry of tool schemas and framing; without a digest, no tools are sent."""
    return (entry(TOOL_SCHEMAS, tokens, "always", digest),) if tokens else ()


def wants_summaries(settings: Settings) -> bool:
    """Whether the settings ask for summaries of messages that leave the window."""
    return bool(settings.value("summarize")) or settings.value("pruner") == "summarize"


def loss_notes(history: Sequence[Entry], request: ProjectionRequest) -> tuple[Note, ...]:
    """Return a note that says which messages are lost, and how many; none if no message is lost.

    Messages count as lost only where summaries are expected. Summaries should also cover what a
    processor leaves out because of its size; other processors remove messages on purpose.
    """
    if not (request.summaries or wants_summaries(request.settings)):
        return ()
    cutting = {link.name for link in request.levels if link.processor.scope == "newest"}
    lost = [entry for entry in history if _is_lost(entry, cutting)]
    if not lost:
        return ()
    count = sum(entry.count for entry in lost)
    return (warning(Rule.LOST, count=count, runs=list(_runs(lost))),)


def _ahead(injected: Sequence[Injected], tools: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Put tool schemas after the system prompt and before summaries."""
    ahead = [*entries(injected, "start")]
    place = next((n for n, e in enumerate(ahead) if e.label == SYSTEM_PROMPT), -1) + 1
    return (*ahead[:place], *tools, *ahead[place:])


def _with_past(history: Sequence[Entry], texts: Sequence[Injected]) -> Iterator[Entry]:
    for each in with_past(history, texts, lambda entry: entry.first_turn or 0):
        yield past_entry(each) if isinstance(each, Injected) else each


def _is_lost(entry: Entry, cutting: Collection[str]) -> bool:
    if entry.verdict is Verdict.TRIMMED:
        return entry.rule != PRESERVE
    return entry.verdict is Verdict.FILTERED and entry.rule in cutting


def _runs(lost: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """Find the first and last positions for each setting that leaves something out."""
    for setting, run in groupby(lost, lambda entry: entry.setting):
        yield {"setting": setting, "places": [[entry.first, entry.last] for entry in run]}
