"""Turn the rows of an unfinished projection, each a message or an unread run, into plan entries."""

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import NamedTuple

from history.core.plan.injected import OPENING
from history.core.plan.plan import Entry, digest
from history.core.plan.sent_parts import SentPart, sent_parts
from history.core.plan.verdict import CHANGED, HELD, Verdict
from history.core.transcript.messages import Message, Transcript, Unread
from history.core.transcript.parts import File
from history.core.words.facts import Fact, Rule, fact

WHY = {"note": fact(Rule.CALLS_NOTE), OPENING: fact(Rule.OPENING)}
TOO_LARGE = (fact(Rule.CLAMPED),)
SHORTENED = frozenset({Rule.CLAMPED, Rule.IMAGES_TOO_LARGE})  # The rules of shortened messages.


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict on a message, with its reasons. Neighbours with equal rulings share one entry."""

    verdict: Verdict
    rule: str = ""
    setting: str = ""
    reasons: tuple[Fact, ...] = ()
    level: str = ""

    @property
    def alters(self) -> bool:
        """Whether the message is sent in another form; its plan entry then gives both sizes."""
        return self.verdict in CHANGED

    def after(self, earlier: "Ruling | None") -> "Ruling":
        """Combine this ruling with the one that an earlier stage gave on the same message. Each
        reason appears once, in order, except that a reason for removing the message comes first. A
        held message stays held.
        """
        if earlier is None or not (earlier.alters or earlier.rule in HELD):
            return self
        rulings = (earlier, self) if self.alters else (self, earlier)
        reasons = tuple(dict.fromkeys(reason for each in rulings for reason in each.reasons))
        base = earlier if self.alters and earlier.rule in HELD else self
        return replace(base, verdict=self.verdict, reasons=reasons)


def clamp_ruling(message: Message, now: Message | None) -> Ruling:
    gone = (message.images - now.images) if now else 0
    images = (fact(Rule.IMAGES_TOO_LARGE, count=gone),) if gone else ()
    is_cut = now is None or not gone or _shown(message) != _shown(now)
    reasons = (*images, *(TOO_LARGE if is_cut else ()))
    return Ruling(Verdict.ALTERED, "clamp", "max_message_tokens", reasons)


def _shown(message: Message) -> tuple[object, ...]:
    files = [part for part in message.parts if isinstance(part, File)]
    return message.text, message.tool_calls, files


KEPT = Ruling(Verdict.KEPT)
CURRENT = Ruling(Verdict.KEPT, "current turn", reasons=(fact(Rule.CURRENT_TURN),))


class DraftRow(NamedTuple):
    """A message or an unread run in a draft. `message` is the message as the request contains it,
    None if it is left out.
    """

    item: Message | Unread
    ruling: Ruling
    message: Message | None = None


def note_row(note: Message) -> DraftRow:
    rule = OPENING if note.label == OPENING else "note"
    return DraftRow(note, Ruling(Verdict.INJECTED, rule, reasons=(WHY[rule],)), note)


def rows_of(
    transcript: Transcript,
    messages: Iterable[Message],
    ruling_on: Callable[[Message | Unread], Ruling],
    end: int,
) -> Iterator[DraftRow]:
    """Make rows of the transcript and of what is sent of it. A note comes before the message at its
    place; a note at the place `end` comes last.
    """
    by_place: dict[int, Message] = {}
    notes: dict[int, list[Message]] = {}
    for message in messages:
        if message.label:
            notes.setdefault(message.position, []).append(message)
        else:
            by_place[message.position] = message
    for item in transcript:
        place = item.position
        if notes:
            yield from map(note_row, notes.get(place, ()))
        yield DraftRow(item, ruling_on(item), by_place.get(place))
    yield from map(note_row, notes.get(end, ()))


def end_of(item: Message | Unread) -> int:
    """Return the last place of a message or run."""
    return item.last if isinstance(item, Unread) else item.position


def last_turn_of(item: Message | Unread) -> int:
    return item.last_turn if isinstance(item, Unread) else item.turn


def start_of_turn(transcript: Transcript, turn: int, end: int) -> int:
    """Return the place where this turn begins or, if there is no such turn, the next one. If that
    is inside an unread run, return the run's second place, so that a cut there raises NeedsMore.
    """
    for item in transcript:
        if last_turn_of(item) >= turn:
            if isinstance(item, Unread):
                return item.first if item.first_turn >= turn else item.first + 1
            return item.position
    return end


def sums_before(transcript: Transcript, sizes: Iterable[int]) -> dict[int, int]:
    """Return the sum of `sizes` before each place that was read, and before the end."""
    ends = [end_of(item) + 1 for item in transcript[-1:]]
    places = [*(item.position for item in transcript), *ends]
    return dict(zip(places, accumulate(sizes, initial=0), strict=False))


def fold(
    rows: Iterable[DraftRow], last_turn: int, borders: Sequence[int] = ()
) -> tuple[Entry, ...]:
    """Fold rows into entries. The entries are the same whether or not a trimmed message was read.

    A message that is sent in another form, or with parts, has an entry of its own, with its sizes.
    A new entry begins at each of the turns in `borders`, which are sorted.
    """
    entries: list[Entry] = []
    for _, group in groupby(rows, lambda row: (_key(row), bisect(borders, _turn_of(row.item)))):
        alike = list(group)
        ruling = alike[0].ruling
        if ruling.verdict is Verdict.INJECTED:
            entries += map(_note, alike)
        else:
            entries.append(_entry(ruling, alike, last_turn))
    return tuple(entries)


def _key(row: DraftRow) -> Ruling | int:
    is_apart = row.ruling.alters or (row.message is not None and row.message.parts)
    return row.item.position if is_apart else row.ruling


def _turn_of(item: Message | Unread) -> int:
    return item.first_turn if isinstance(item, Unread) else item.turn


def _note(row: DraftRow) -> Entry:
    """Return the entry for a processor's note, which is sent at a place in the transcript."""
    note = row.item
    label, text = ("", "") if isinstance(note, Unread) else (note.label, note.text)
    return Entry(
        Verdict.INJECTED,
        sent_tokens=note.tokens,
        rule=row.ruling.rule,
        reasons=row.ruling.reasons,
        label=label,
        digest=digest(text),
    )


def _parts(row: DraftRow) -> tuple[SentPart, ...]:
    """Return the parts that are sent with a row's message; an unread run has none."""
    if row.message is None or isinstance(row.item, Unread):
        return ()
    return sent_parts(row.item, row.message)


def _entry(ruling: Ruling, alike: list[DraftRow], last_turn: int) -> Entry:
    first, last = alike[0].item, alike[-1].item
    first_turn = _turn_of(first)
    return Entry(
        verdict=ruling.verdict,
        first=first.position,
        last=end_of(last),
        first_turn=first_turn,
        last_turn=last_turn_of(last),
        count=sum(r.item.count if isinstance(r.item, Unread) else 1 for r in alike),
        tokens=sum(row.item.tokens for row in alike),
        sent_tokens=sum(row.message.tokens for row in alike if row.message),
        rule=ruling.rule,
        setting=ruling.setting,
        level=ruling.level,
        reasons=ruling.reasons,
        of_turns=last_turn if ruling.verdict is Verdict.TRIMMED else None,
        parts=_parts(alike[0]),
    )
