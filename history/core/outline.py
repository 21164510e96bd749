"""Parts of a path that is at hand, for plans of it at any of its places.

A thousand plans of one path would group the same old messages a thousand times. What no stage can
change stays an unread run here, and the plan is the same byte for byte.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from history.core.draft import NeedsMore
from history.core.messages import Message, Role, Transcript, Unread
from history.core.plan import PRESERVE
from history.core.policies import horizon
from history.core.projection import Projection, ProjectionRequest, project
from history.core.quoting import is_object
from history.core.segments import Segment, group, grouped

PAGE = 24  # Messages that are read at first.
MORE = 4  # Times as many where they were too few.


class Outline:
    """`path` may begin with runs that were not read; from the last of them on it is whole.

    `request` says what must be read wherever it stands; its settings and processors must be those
    of every plan.
    """

    def __init__(self, path: Transcript, request: ProjectionRequest) -> None:
        unread = [n for n, item in enumerate(path) if isinstance(item, Unread)]
        first = unread[-1] + 1 if unread else 0
        self.request = request
        self.lead = path[:first]
        self.messages = [item for item in path[first:] if isinstance(item, Message)]
        self.positions = [message.position for message in self.messages]
        self.turns = [message.turn for message in self.messages]
        self.size = PAGE
        self.parts = group(self.messages)
        self.heads = list(self._heads())
        self.islands = sorted(self._islands(self.parts))
        self.tokens = _sums(message.tokens for message in self.messages)
        self.results = _sums(message.role is Role.TOOL for message in self.messages)
        odd = _odd(self.parts, is_filtered=bool(request.levels.links))
        self.odd = _sums(position in odd for position in self.positions)
        self.largest = [0, *accumulate((message.tokens for message in self.messages), max)]

    def project(self, end: int, request: ProjectionRequest) -> Projection:
        """Of what stands before the place `end`. Raises `CannotPlan`, and `NeedsMore` where the
        path's own unread runs matter.
        """
        stop = bisect_left(self.positions, end)
        least = max(self._of_policy(stop, request), self._covered(stop, request))
        for start in self._starts(stop, least, request):
            try:
                return self._projected(start, stop, request)
            except NeedsMore:
                if start == 0:
                    raise
        raise AssertionError("the last start is 0")

    def _projected(self, start: int, stop: int, request: ProjectionRequest) -> Projection:
        """With the segments as they were grouped, unless some of them begins or ends beyond."""
        lead = self._lead(start, request)
        parts = None
        if not any(map(self._parts_round, (start, stop))):
            first, last = bisect_left(self.heads, start), bisect_left(self.heads, stop)
            parts = (*grouped(lead), *self.parts[first:last])
        return project((*lead, *self.messages[start:stop]), request, parts)

    def _parts_round(self, place: int) -> bool:
        """Whether a call would stand on the one side of a place and its result on the other."""
        return place < len(self.messages) and self.messages[place].role is Role.TOOL

    def _heads(self) -> Iterator[int]:
        """Of each segment the place of the message that its calls are in, or should be."""
        head = 0
        for part in self.parts:
            first = part.messages[0] if part.messages else part.repairs[0].message
            if first.role is not Role.TOOL:
                head = bisect_left(self.positions, first.position)
            yield head

    def _starts(self, stop: int, least: int, request: ProjectionRequest) -> Iterator[int]:
        """Where reading may begin, the newest place first; the page that was enough is kept."""
        full = max(least, self._full(stop, request))
        while (start := self._page(stop)) > full:
            yield start
            self.size *= MORE
        yield from sorted({full, least, 0}, reverse=True)

    def _lead(self, start: int, request: ProjectionRequest) -> Transcript:
        if start == 0:
            return self.lead
        ends = [point.last + 1 for point in request.checkpoints]
        before = self._runs(start, [bisect_left(self.positions, place) for place in ends])
        return (*self.lead, *before)

    def _page(self, stop: int) -> int:
        """By whole turns; at least the newest one."""
        if stop <= self.size:
            return 0
        newest = bisect_left(self.turns, self.turns[stop - 1])
        return min(newest, bisect_right(self.turns, self.turns[stop - self.size - 1]))

    def _of_policy(self, stop: int, request: ProjectionRequest) -> int:
        newest = self.turns[stop - 1] if stop else 0
        return bisect_left(self.turns, horizon(request.settings, newest), 0, stop)

    def _covered(self, stop: int, request: ProjectionRequest) -> int:
        """What a summary stands for need not be read."""
        after = request.checkpoints[-1].last + 1 if request.checkpoints else 0
        return bisect_left(self.positions, after, 0, stop)

    def _full(self, stop: int, request: ProjectionRequest) -> int:
        """From this turn on there is more than the window holds, if nothing becomes shorter."""
        room = request.settings.value("context_window") / request.factor
        first = bisect_left(self.tokens, self.tokens[stop] - room, 0, stop)
        return bisect_left(self.turns, self.turns[first - 1]) if first else 0

    def _runs(self, start: int, ends: Sequence[int]) -> Iterator[Message | Unread]:
        """What lies before the place `start`, broken where it must be."""
        islands = self.islands[: bisect_left(self.islands, start)]
        alone = set(islands)
        bounds = {0, start, *islands, *(n + 1 for n in islands), *(n for n in ends if n < start)}
        for first, following in pairwise(sorted(bounds)):
            if first in alone:
                yield self.messages[first]
            else:
                yield self._run(first, following)

    def _run(self, first: int, following: int) -> Unread:
        is_plain = self.odd[following] == self.odd[first]
        return Unread(
            first=self.positions[first],
            last=self.positions[following - 1],
            first_turn=self.turns[first],
            last_turn=self.turns[following - 1],
            tokens=self.tokens[following] - self.tokens[first],
            results=self.results[following] - self.results[first],
            largest=self.largest[following] if is_plain else None,
            leads=self.messages[first].role if is_plain else None,
        )

    def _islands(self, parts: Iterable[Segment]) -> Iterator[int]:
        """The places, in `messages`, of preserved system messages and of all that is marked."""
        marked = self.request.pins | self.request.exclusions
        preserve = self.request.settings.value(PRESERVE)
        for part in parts:
            messages = [*part.messages, *(repair.message for repair in part.repairs)]
            places = {message.position for message in messages}
            is_kept = preserve and messages[0].role is Role.SYSTEM
            if is_kept or not marked.isdisjoint(places):
                yield from (bisect_left(self.positions, place) for place in places)


def _odd(parts: Sequence[Segment], *, is_filtered: bool) -> set[int]:
    """The positions of messages that may go out otherwise than they stand, or not at all.

    A processor that judges each segment alone looks at calls; any other reads what it needs.
    """
    calls = Counter(c.id for part in parts for m in part.messages for c in m.tool_calls)
    found = set()
    for part in parts:
        messages = [*part.messages, *(repair.message for repair in part.repairs)]
        repeats = any(calls[call.id] > 1 for m in part.messages for call in m.tool_calls)
        calls_of = messages[0].tool_calls
        may_go = is_filtered and bool(calls_of)
        is_quoted = not all(is_object(call.arguments) for call in calls_of)
        if part.repairs or repeats or may_go or is_quoted or messages[0].role is Role.SYSTEM:
            found |= {message.position for message in messages}
    return found


def _sums(sizes: Iterable[int]) -> list[int]:
    """Before each place, and after the last."""
    return [0, *accumulate(sizes)]
