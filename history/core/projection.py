"""From a transcript and settings to what is sent, with the plan that says why.

First the policy cuts by turns, then what is left is grouped and repaired. Nothing before the cut is
looked at, so an unread run there gives the same plan as its messages would.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from history.core.messages import Message, Role, Transcript, Unread
from history.core.plan import SENT, Counts, Entry, Plan, Verdict
from history.core.policies import Policy, keeps, policy_of
from history.core.resolution import Settings
from history.core.rows import Row, Ruling, fold, last_turn_of
from history.core.segments import Repair, Segment, segment
from history.core.window import WindowSums
from history.core.wording import number

SYSTEM_PROMPT = "system prompt"
TOOL_SCHEMAS = "tool schemas"

PRESERVE = "preserve_system_messages"
KEPT = Ruling(Verdict.KEPT)
CURRENT = Ruling(Verdict.KEPT, "current turn", reason="current turn")
PRESERVED = Ruling(Verdict.KEPT, PRESERVE, PRESERVE, "a system message; every policy keeps it")
NO_SYSTEM = Ruling(
    Verdict.TRIMMED, PRESERVE, PRESERVE, f"a system message, and {PRESERVE} is false"
)


@dataclass(frozen=True, slots=True)
class Injected:
    """A text that is sent though no message holds it, ahead of the transcript or after it."""

    label: str
    role: Role
    text: str
    tokens: int
    place: Literal["start", "end"] = "start"


@dataclass(frozen=True, slots=True)
class ProjectionRequest:
    """What a projection needs besides the transcript. `counter` names what counted the tokens."""

    settings: Settings
    injected: tuple[Injected, ...] = ()
    tool_schema_tokens: int = 0
    counter: str = "o200k_base"


@dataclass(frozen=True, slots=True)
class Projection:
    """`messages` is what is sent of the transcript: in order, repaired, without injected texts."""

    plan: Plan
    messages: tuple[Message, ...]


def project(transcript: Transcript, request: ProjectionRequest) -> Projection:
    """Raises `ValueError` if messages were left unread that the policy keeps."""
    last_turn = last_turn_of(transcript[-1]) if transcript else 0
    policy = policy_of(request.settings)
    preserve = request.settings.value(PRESERVE)
    rows = tuple(_rows(transcript, policy, last_turn, preserve=preserve))
    history = fold(rows, last_turn)
    window = _window_sums(history, request)
    plan = Plan(
        entries=(*_start(request), *history, *_end(request)),
        settings=request.settings,
        window=window,
        counts=_counts(history, last_turn),
        counter=request.counter,
        notes=(*policy.notes, *_overflow(window)),
    )
    return Projection(plan, tuple(row.sent for row in rows if row.sent))


def _rows(
    transcript: Transcript, policy: Policy, last_turn: int, *, preserve: bool
) -> Iterator[Row]:
    first_turn = policy.first_turn(last_turn)
    trimmed = Ruling(Verdict.TRIMMED, "policy", policy.setting, keeps(policy, last_turn))
    older = [item for item in transcript if last_turn_of(item) < first_turn]
    for item in older:
        if preserve and isinstance(item, Message) and item.role is Role.SYSTEM:
            yield Row(item, PRESERVED, item)
        else:
            yield Row(item, trimmed)
    window = _read(transcript[len(older) :])
    yield from _window_rows(segment(window), last_turn, preserve=preserve)


def _read(items: Transcript) -> Iterator[Message]:
    for item in items:
        if isinstance(item, Unread):
            raise ValueError(
                f"positions {item.first} to {item.last} were not read, "
                f"but the policy keeps turn {item.last_turn}"
            )
        yield item


def _window_rows(segments: Iterable[Segment], last_turn: int, *, preserve: bool) -> list[Row]:
    rows = []
    for part in segments:
        repaired = {repair.message.position for repair in part.repairs}
        rows += [_repaired(repair) for repair in part.repairs]
        rows += [
            _kept(message, last_turn, preserve=preserve)
            for message in part.messages
            if message.position not in repaired
        ]
    return sorted(rows, key=_position)


def _position(row: Row) -> int:
    return row.item.first if isinstance(row.item, Unread) else row.item.position


def _kept(message: Message, last_turn: int, *, preserve: bool) -> Row:
    if message.role is Role.SYSTEM and not preserve:
        return Row(message, NO_SYSTEM)
    return Row(message, CURRENT if message.turn == last_turn else KEPT, message)


def _repaired(repair: Repair) -> Row:
    verdict = Verdict.ALTERED if repair.sent else Verdict.REPAIRED
    return Row(repair.message, Ruling(verdict, "pairs", reason=repair.reason), repair.sent)


def _start(request: ProjectionRequest) -> Iterator[Entry]:
    for text in request.injected:
        if text.place == "start":
            yield _injected(text.label, text.tokens, "ahead of the transcript")
    if request.tool_schema_tokens:
        yield _injected(TOOL_SCHEMAS, request.tool_schema_tokens, "with every request")


def _end(request: ProjectionRequest) -> Iterator[Entry]:
    for text in request.injected:
        if text.place == "end":
            yield _injected(text.label, text.tokens, "after the transcript")


def _injected(label: str, tokens: int, where: str) -> Entry:
    reason = f"sent {where}: {number(tokens)} tokens"
    return Entry(Verdict.INJECTED, sent_tokens=tokens, rule="injected", reason=reason, label=label)


def _counts(history: tuple[Entry, ...], last_turn: int) -> Counts:
    def count(*verdicts: Verdict) -> int:
        return sum(entry.count for entry in history if entry.verdict in verdicts)

    return Counts(
        transcript=count(*Verdict),
        sent=count(*SENT),
        trimmed=count(Verdict.TRIMMED),
        repaired=count(Verdict.REPAIRED),
        last_turn=last_turn,
    )


def _window_sums(history: tuple[Entry, ...], request: ProjectionRequest) -> WindowSums:
    prompt = sum(i.tokens for i in request.injected if i.label == SYSTEM_PROMPT)
    return WindowSums(
        context_window=request.settings.value("context_window"),
        system_prompt=prompt,
        tool_schemas=request.tool_schema_tokens,
        injected=sum(i.tokens for i in request.injected) - prompt,
        history=sum(entry.sent_tokens for entry in history),
        output_reserve=request.settings.value("output_reserve"),
    )


def _overflow(window: WindowSums) -> tuple[str, ...]:
    if not window.over:
        return ()
    return (f"{number(window.over)} tokens over the context window with the output reserve",)
