"""Summarise runs of a loaded path as if they had not been read."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

from history.core.draft.rulings import KEPT, DraftRow, UnreadPlaceholders, fold
from history.core.json_text import is_object
from history.core.messages import Message, Role, Unread
from history.core.plan.plan import PRESERVE
from history.core.projection.request import ProjectionRequest
from history.core.segments import Segment, Segments
from history.core.stages import placeholders


class UnreadSpans:
    """`parts` are the segments of `messages`. Places index `messages`; they are not positions.

    If the settings keep only the newest tool results, all results in a run count as placeholders: a
    plan for which that is wrong must read them.
    """

    def __init__(
        self, messages: Sequence[Message], parts: Segments, request: ProjectionRequest
    ) -> None:
        self.messages = messages
        self.positions = [message.position for message in messages]
        self.turns = [message.turn for message in messages]
        self.tokens = _sums(message.tokens for message in messages)
        self.results = [n for n, message in enumerate(messages) if message.role is Role.TOOL]
        self.has_placeholders = bool(request.settings.value("tool_results_keep"))
        lean = list(self._lean(placeholders.cost(request.count)))
        self.sent = _sums(message.tokens for message in lean)
        self.largest = [0, *accumulate((message.tokens for message in lean), max)]
        self.entries = fold(map(_row, messages, lean), 0) if self.has_placeholders else ()
        self.firsts = [entry.positions.start for entry in self.entries]
        odd = _odd(parts, is_filtered=bool(request.levels.links))
        self.odd = _sums(position in odd for position in self.positions)
        self.islands = sorted(set(self._islands(parts, request)))

    def before(self, start: int, ends: Iterable[int]) -> Iterator[Message | Unread]:
        """Return the runs before a place, broken at `ends` and around what is always read."""
        islands = self.islands[: bisect_left(self.islands, start)]
        alone = set(islands)
        bounds = {0, start, *islands, *(n + 1 for n in islands), *(n for n in ends if n < start)}
        for first, following in pairwise(sorted(bounds)):
            if first in alone:
                yield self.messages[first]
            else:
                yield from self._pieces(first, following)

    def _pieces(self, first: int, following: int) -> Iterator[Unread]:
        """Return one run, or the part from its first to its last result apart from the rest."""
        begin, end = (bisect_left(self.results, place) for place in (first, following))
        if begin == end or not (self.has_placeholders and self._is_plain(first, following)):
            yield self._span(first, following)
            return
        inner, outer = self.results[begin], self.results[end - 1] + 1
        if first < inner:
            yield self._span(first, inner)
        yield self._placeheld(inner, outer)
        if outer < following:
            yield self._span(outer, following)

    def _span(self, first: int, following: int) -> Unread:
        return Unread(**self._facts(first, following))

    def _placeheld(self, first: int, following: int) -> UnreadPlaceholders:
        bounds = self.positions[first], self.positions[following - 1] + 1
        begin, end = (bisect_left(self.firsts, position) for position in bounds)
        stored = self.tokens[following] - self.tokens[first]
        return UnreadPlaceholders(
            **self._facts(first, following),
            saved=stored - (self.sent[following] - self.sent[first]),
            entries=self.entries[begin:end],
        )

    def _facts(self, first: int, following: int) -> dict[str, Any]:
        is_plain = self._is_plain(first, following)
        begin, end = (bisect_left(self.results, place) for place in (first, following))
        return {
            "first": self.positions[first],
            "last": self.positions[following - 1],
            "first_turn": self.turns[first],
            "last_turn": self.turns[following - 1],
            "tokens": self.tokens[following] - self.tokens[first],
            "results": end - begin,
            "largest": self.largest[following] if is_plain else None,
            "leads": self.messages[first].role if is_plain else None,
        }

    def _is_plain(self, first: int, following: int) -> bool:
        return self.odd[following] == self.odd[first]

    def _lean(self, cost: int) -> Iterator[Message]:
        for message in self.messages:
            is_short = self.has_placeholders and message.role is Role.TOOL
            yield placeholders.as_placeholder(message, cost) if is_short else message

    def _islands(self, parts: Segments, request: ProjectionRequest) -> Iterator[int]:
        """Return the places of preserved system messages and of all that is marked, with what comes
        between a call and its result.
        """
        marked = request.pins | request.exclusions
        preserve = request.settings.value(PRESERVE)
        for part in parts:
            messages = [*part.messages, *(repair.message for repair in part.repairs)]
            places = {message.position for message in messages}
            is_kept = preserve and messages[0].role is Role.SYSTEM
            if is_kept or not marked.isdisjoint(places):
                first, last = (bisect_left(self.positions, p) for p in (min(places), max(places)))
                yield from range(first, last + 1)


def _row(message: Message, lean: Message) -> DraftRow:
    ruling = KEPT if lean is message else placeholders.ruling(message, lean)
    return DraftRow(message, ruling, lean)


def _odd(parts: Sequence[Segment], *, is_filtered: bool) -> set[int]:
    """Return the positions of messages that may be changed or left out.

    A processor that judges each segment alone looks at calls; any other reads what it needs.
    """
    found = set()
    for part in parts:
        messages = [*part.messages, *(repair.message for repair in part.repairs)]
        calls_of = messages[0].tool_calls
        may_go = is_filtered and bool(calls_of)
        is_quoted = not all(is_object(call.arguments) for call in calls_of)
        if part.repairs or may_go or is_quoted or messages[0].role is Role.SYSTEM:
            found |= {message.position for message in messages}
    return found


def _sums(sizes: Iterable[int]) -> list[int]:
    """Return the sums before each place, and after the last."""
    return [0, *accumulate(sizes)]
