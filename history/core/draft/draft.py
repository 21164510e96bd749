"""The state of a projection: what would still be sent, and what happened to everything else.

A stage either cuts (leaves out everything before a place) or edits (removes or changes single
messages). A cut overrides edits before its place, so it does not matter whether messages there were
read and edited.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from operator import attrgetter, lt

from history.core.draft.rulings import (
    CURRENT,
    KEPT,
    DraftRow,
    Ruling,
    end_of,
    last_turn_of,
    rows_of,
    sums_before,
)
from history.core.plan.verdict import Verdict
from history.core.transcript.messages import Message, Transcript, Unread
from history.core.transcript.reasoning import without_late_reasoning, without_odd_reasoning
from history.core.transcript.segments import Segment, Segments, are_whole, flat, grouped, segment
from history.core.words.errors import NeedsMore

FIRM = frozenset({Verdict.EXCLUDED, Verdict.SUMMARISED})
PAIRS = "pairs"  # The rule for messages that every provider rejects.


class Draft:
    """A projection in progress. `live` are the segments that would be sent unless a later stage
    removes them; `held` are sent whatever the stages say.

    `settled` is as in `ProjectionRequest`: cuts consider only messages before it. `parts` are the
    transcript's segments if the caller has them.
    """

    def __init__(
        self, transcript: Transcript, settled: int | None = None, parts: Segments | None = None
    ) -> None:
        self.transcript = transcript
        self.last_turn = last_turn_of(transcript[-1]) if transcript else 0
        self.end = end_of(transcript[-1]) + 1 if transcript else 0
        self.settled = self.end if settled is None else settled
        self.rulings: dict[int, Ruling] = {}
        self._cuts: set[Ruling] = set()
        self.held: Segments = ()
        parts = grouped(transcript) if parts is None else parts
        self.live: Segments = tuple([part for part in parts if part.messages])
        self.unread = [item for item in transcript if isinstance(item, Unread)]
        self._repair(parts)

    @property
    def current(self) -> Segments:
        """The segments of the turn that is being answered, which no stage removes."""
        live, turn, first = self.live, self.last_turn, len(self.live)
        while turn and first and live[first - 1].turn == turn:
            first -= 1
        return live[first:]

    def is_current(self, item: Message | Segment) -> bool:
        """Whether a segment belongs to the turn being answered; false before any user message."""
        return 0 < self.last_turn == item.turn

    @property
    def past(self) -> Segments:
        """The segments that stages may change: those from before the generation began, and notes.

        A turn of which only some segments were read is not among them: a cut removes such a turn
        whole, or it must first be read whole.
        """
        unread, settled = self.last_unread_turn, self.settled
        past = [p for p in self.live if p.turn > unread and (p.position < settled or p.is_note)]
        return self.live if len(past) == len(self.live) else tuple(past)

    @property
    def islands(self) -> Segments:
        """The live segments of turns of which only single messages were read."""
        unread = self.last_unread_turn
        return tuple([part for part in self.live if part.turn <= unread])

    @property
    def last_unread_turn(self) -> int:
        """The number of the last turn that was not read whole; -1 if everything was read."""
        return self.unread[-1].last_turn if self.unread else -1

    @property
    def first_current(self) -> int:
        """The place where the turn that is being answered starts."""
        return self.current[0].position if self.current else self.end

    def require(self, *, reaches: bool) -> None:
        """Raise NeedsMore if messages are unread, unless they cannot matter (`reaches`)."""
        if self.unread and not reaches:
            raise NeedsMore(self.unread[-1].last + 1)

    def cut(self, start: int, ruling: Ruling, spared: Verdict | None = None) -> None:
        """Leave out everything before `start` that is not held. Raise NeedsMore if `start` is
        inside an unread run.

        Messages with the verdict `spared` keep it: an earlier stage removed them.
        """
        # All messages of an unread run have one verdict, so a cut inside it would need two.
        for span in self.unread:
            if span.first < start <= span.last:
                raise NeedsMore(span.last + 1)
        held_places = {message.position for message in flat(self.held)}
        for item in self.transcript:
            place = item.position
            if place >= start:
                break
            earlier = self.rulings.get(place)
            if earlier and earlier.verdict is spared:
                continue
            if place not in held_places and not self._is_firm(place):
                self.rulings[place] = ruling
        self._cuts.add(ruling)
        # A note at the place of the first kept message stands for cut calls, so it is cut, too.
        rest = [part for part in self.live if part.position >= start]
        self.live = tuple([p for p in rest if p.position > start or not p.is_note])
        self.unread = [span for span in self.unread if span.last >= start]

    def retell(self, was: Ruling, now: Ruling) -> None:
        """Replace the reason that an earlier cut gave."""
        if was != now:
            self._cuts.add(now)
            self.rulings |= {place: now for place, had in self.rulings.items() if had == was}

    def cover(self, first: int, last: int, ruling: Ruling) -> None:
        """Mark messages at these places as replaced by a summary, unless they are held or excluded.

        Raise NeedsMore if the first or the last place lies inside an unread run.
        """
        for span in self.unread:
            if span.first <= last < span.last or span.first < first <= span.last:
                raise NeedsMore(span.last + 1)
        held_places = {message.position for message in flat(self.held)}
        for item in self.transcript:
            place = item.position
            if first <= place <= last and place not in held_places and not self._is_firm(place):
                self.rulings[place] = ruling
        self.live = tuple(part for part in self.live if not first <= part.position <= last)
        self.unread = [span for span in self.unread if not first <= span.first <= last]

    def take_out(self, parts: Iterable[Segment], ruling: Ruling) -> None:
        """Leave these segments out of the request, for the ruling's reasons."""
        gone = {part.position for part in parts}
        if not gone:
            return
        for message in flat(part for part in self.live if part.position in gone):
            self.rulings[message.position] = ruling
        self.live = tuple(part for part in self.live if part.position not in gone)

    def explain(self, parts: Iterable[Segment], ruling: Ruling) -> None:
        """Give these segments the reason why they are sent, unless they have one already."""
        for message in flat(parts):
            self.rulings.setdefault(message.position, ruling)

    def keep_always(self, choose: Callable[[Segment], bool], ruling: Ruling) -> None:
        """Hold the segments that `choose` picks: they are sent whatever later stages do."""
        segments = tuple(part for part in self.live if choose(part))
        for message in flat(segments):
            earlier = self.rulings.get(message.position)
            # A message that was altered before it is held stays altered, with both reasons.
            both = (*ruling.reasons, *earlier.reasons) if earlier else ()
            own = replace(ruling, verdict=Verdict.ALTERED, reasons=both) if earlier else ruling
            self.rulings[message.position] = own
        self.held = tuple(sorted((*self.held, *segments), key=lambda part: part.position))
        places = {part.position for part in segments}
        self.live = tuple(part for part in self.live if part.position not in places)

    def replace(self, after: Segments, ruling: Callable[[Message, Message | None], Ruling]) -> None:
        """Replace the live segments by a stage's result, with a ruling on each changed message."""
        if after is self.live:
            return
        messages = {message.position: message for message in flat(after) if not message.label}
        for message in flat(self.live):
            now = messages.get(message.position)
            # Most segments are the same object as before; only the others need a comparison.
            if now is not message and now != message and not message.label:
                self._rule(message, ruling(message, now))
        self.live = after

    def _rule(self, message: Message, ruling: Ruling) -> None:
        place = message.position
        self.rulings[place] = ruling.after(self.rulings.get(place))

    def repair(self, *, thinks_first: bool = False) -> None:
        """Remove content that every provider would reject, as the last step, and report it.

        `thinks_first`: the model accepts no reasoning after a text.
        """
        messages, after = self.messages(), self.in_order
        # Grouping all messages again is slow. It is needed only if a processor separated a call
        # from its result, or if a held message now stands between them.
        if tuple(flat(after)) != messages or not are_whole(after):
            after = tuple(map(without_odd_reasoning, segment(messages)))
            self._repair(after)
        whole = tuple([part for part in after if part.messages])
        self.put(without_late_reasoning(whole) if thinks_first else whole)

    @property
    def in_order(self) -> Segments:
        """All segments that are sent, live and held ones, in the transcript's order."""
        return tuple(sorted((*self.live, *self.held), key=attrgetter("position")))

    def put(self, parts: Segments) -> None:
        """Replace the segments of `in_order` by these, which may be fewer or changed."""
        ours = {message.position for message in flat(self.held)}
        self.held = tuple(p for p in parts if p.position in ours and not p.is_note)
        self.live = tuple(p for p in parts if p.position not in ours or p.is_note)

    @property
    def tokens(self) -> int:
        """The tokens of all live segments."""
        return sum(part.tokens for part in self.live)

    def messages(self) -> tuple[Message, ...]:
        """The messages and notes sent, in order; a note precedes the message at its place."""
        messages = tuple(flat((*self.held, *self.live)))
        places = [message.position for message in messages]
        if all(map(lt, places, places[1:])):
            return messages
        return tuple(sorted(messages, key=lambda m: (m.position, not m.label)))

    def rows(self) -> Iterator[DraftRow]:
        """A row for each message, unread run and note; a note is at its place, or at the end."""
        return rows_of(self.transcript, self.messages(), self._ruling_on, self.end)

    @cached_property
    def tokens_before(self) -> dict[int, int]:
        """The sum of the transcript's tokens before each place that was read, and at its end."""
        return sums_before(self.transcript, [item.tokens for item in self.transcript])

    def _ruling_on(self, item: Message | Unread) -> Ruling:
        is_current = isinstance(item, Message) and self.is_current(item)
        return self.rulings.get(item.position) or (CURRENT if is_current else KEPT)

    def _is_firm(self, place: int) -> bool:
        """Whether an earlier cut, a summary or a person has already decided about this place."""
        ruling = self.rulings.get(place)
        return ruling is not None and (ruling in self._cuts or ruling.verdict in FIRM)

    def _repair(self, parts: Segments) -> None:
        for repair in (each for part in parts if part.repairs for each in part.repairs):
            verdict = Verdict.ALTERED if repair.rest else Verdict.REPAIRED
            self._rule(repair.message, Ruling(verdict, PAIRS, reasons=repair.reasons))
