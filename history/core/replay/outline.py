"""Segments of a loaded path, prepared for plans that end at any of its places.

A thousand plans of one path would group the same old messages a thousand times. What no stage can
change stays an unread run here, and the plan is the same byte for byte.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import takewhile

from history.core.errors import NeedsMore
from history.core.messages import Message, Role, Transcript, Unread
from history.core.projection.project import Projection, project
from history.core.projection.request import ProjectionRequest
from history.core.replay.unread import UnreadSpans
from history.core.segments import Segment, Segments, grouped, ids_of, segment
from history.core.stages.fit import moves_in_steps
from history.core.stages.policies import horizon

PAGE = 24  # Messages read at first.
MORE = 2  # The factor by which to read more if they were too few.
NEAR = 2  # Turns around an expected cut that become runs of their own.


class Outline:
    """`path` may begin with unread runs; after the last of them it is whole.

    `request` says what must always be read; its settings and processors must be those of every
    plan.
    """

    def __init__(self, path: Transcript, request: ProjectionRequest) -> None:
        unread = [n for n, item in enumerate(path) if isinstance(item, Unread)]
        first = unread[-1] + 1 if unread else 0
        self.lead = path[:first]
        self.messages = [item for item in path[first:] if isinstance(item, Message)]
        parts = grouped(path)
        led = sum(part.position < self.messages[0].position for part in parts) if first else 0
        self.lead_parts, self.parts = parts[:led], parts[led:]
        self.spans = UnreadSpans(self.messages, self.parts, request)
        self.positions, self.turns = self.spans.positions, self.spans.turns
        self.heads = list(self._heads())
        self.islands = list(self._islands())
        self.size = PAGE
        self.room: int | None = None  # Tokens sent from a path that is too long, if known.
        self.held = self.spans.tokens if moves_in_steps(request.settings) else self.spans.sent
        self.stride = request.settings.value("token_stride")

    def project(self, end: int, request: ProjectionRequest) -> Projection:
        """Plan what comes before the place `end`. Raise `CannotPlan`, and `NeedsMore` if the path's
        own unread runs matter.
        """
        stop = bisect_left(self.positions, end)
        least = max(self._of_policy(stop, request), self._covered(stop, request))
        for start in self._starts(stop, least, request):
            try:
                return self._tried(start, stop, request)
            except NeedsMore:
                if start == 0:
                    raise
        raise AssertionError("the last start is 0")

    def _tried(self, start: int, stop: int, request: ProjectionRequest) -> Projection:
        """Try, and try again once it is known how much of the unread part fits."""
        try:
            return self._projected(start, stop, request)
        except NeedsMore as needs:
            if needs.room is None or start == 0:
                raise
            place = bisect_left(self.positions, needs.before)
            self.room = self.held[stop] - self.held[place] + needs.room
        return self._projected(start, stop, request)

    def _projected(self, start: int, stop: int, request: ProjectionRequest) -> Projection:
        start = self._head(start)
        lead = self._lead(start, stop, request)
        parts = (*self._ahead(start), *self._between(start, stop))
        return project((*lead, *self.messages[start:stop]), request, parts)

    def _head(self, place: int) -> int:
        """Return where the place's segment begins: no call is parted from its result."""
        if place == len(self.messages) or self.messages[place].role is not Role.TOOL:
            return place
        return self.heads[bisect_right(self.heads, place) - 1]

    def _ahead(self, start: int) -> Segments:
        """Return what is read before a place."""
        islands = takewhile(lambda island: island[0] < start, self.islands)
        return (*self.lead_parts, *(part for _, part in islands))

    def _between(self, start: int, stop: int) -> Segments:
        """Return the path's segments, re-pairing only the one that continues beyond the end."""
        first, last = bisect_left(self.heads, start), bisect_left(self.heads, stop)
        head = self._head(stop)
        if head == stop:
            return self.parts[first:last]
        whole = bisect_left(self.heads, head)
        before = ids_of((*self.lead_parts, *self.parts[:whole]))
        return (*self.parts[first:whole], *segment(self.messages[head:stop], before))

    def _heads(self) -> Iterator[int]:
        """Yield for each segment the place of the message with its calls, or where it should be."""
        head = 0
        for part in self.parts:
            first = part.messages[0] if part.messages else part.repairs[0].message
            if first.role is not Role.TOOL:
                head = bisect_left(self.positions, first.position)
            yield head

    def _islands(self) -> Iterator[tuple[int, Segment]]:
        """Yield the segments that are always read, with their places."""
        places = set(self.spans.islands)
        for part in self.parts if places else ():
            place = bisect_left(self.positions, part.position)
            if place in places:
                yield place, part

    def _starts(self, stop: int, least: int, request: ProjectionRequest) -> Iterator[int]:
        """Yield where reading may begin, newest place first; the page that was enough is kept."""
        full = max(least, self._full(stop, request))
        while (start := self._page(stop)) > full:
            yield start
            self.size *= MORE
        yield from sorted({full, least, 0}, reverse=True)

    def _lead(self, start: int, stop: int, request: ProjectionRequest) -> Transcript:
        if start == 0:
            return self.lead
        covered = [bisect_left(self.positions, p.last + 1) for p in request.checkpoints]
        ends = [*covered, self._of_policy(stop, request), *self._cuts(stop)]
        return (*self.lead, *self.spans.before(start, ends))

    def _cuts(self, stop: int) -> Iterator[int]:
        """Yield where a cut for the budget may fall, and where it moves on to a grid of tokens."""
        if self.room is None or self.held[stop] <= self.room:
            return
        fits = bisect_left(self.held, self.held[stop] - self.room, 0, stop)
        yield from self._near(fits)
        if self.stride > 1:
            first = bisect_left(self.turns, self.turns[fits - 1])
            point = (self.spans.tokens[first] // self.stride + 1) * self.stride
            yield from self._near(bisect_left(self.spans.tokens, point, 0, stop))

    def _near(self, place: int) -> Iterator[int]:
        turn = self.turns[min(place, len(self.turns) - 1)]
        for near in range(turn - NEAR, turn + NEAR + 1):
            yield bisect_left(self.turns, near)

    def _page(self, stop: int) -> int:
        """Return the start of the page in whole turns, at least the newest one."""
        if stop <= self.size:
            return 0
        newest = bisect_left(self.turns, self.turns[stop - 1])
        return min(newest, bisect_right(self.turns, self.turns[stop - self.size - 1]))

    def _of_policy(self, stop: int, request: ProjectionRequest) -> int:
        newest = self.turns[stop - 1] if stop else 0
        return bisect_left(self.turns, horizon(request.settings, newest), 0, stop)

    def _covered(self, stop: int, request: ProjectionRequest) -> int:
        """Return the place up to which a summary makes reading unnecessary."""
        newest = self.turns[stop - 1] if stop else 0
        asked = bisect_left(self.turns, max(1, newest), 0, stop)
        covered = (bisect_left(self.positions, p.last + 1, 0, stop) for p in request.checkpoints)
        return max((place for place in covered if place <= asked), default=0)

    def _full(self, stop: int, request: ProjectionRequest) -> int:
        """Return the turn from which on there is more than the window holds, if nothing is
        shortened.
        """
        room = request.settings.value("context_window") / request.factor
        tokens = self.spans.tokens
        first = bisect_left(tokens, tokens[stop] - room, 0, stop)
        return bisect_left(self.turns, self.turns[first - 1]) if first else 0
