"""Prepare the segments of a loaded path for many plans, each of which ends at one of its places.

Without this, the plans of one path would group the same old messages again and again. So messages
that the policy, a summary or the budget leaves out are given to each plan as unread runs; the plan
is the same, byte for byte.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise, takewhile

from history.core.plan.verdict import PRESERVE
from history.core.projection.project import Projection, project
from history.core.projection.request import ProjectionRequest
from history.core.stages.policies import horizon
from history.core.transcript.messages import Message, Role, Transcript, Unread
from history.core.transcript.segments import Segment, Segments, grouped, ids_of, segment
from history.core.words.errors import NeedsMore

PAGE = 24  # How many messages a plan reads at first.
MORE = 2  # A page that was too small is read again, larger by this factor.


class Outline:
    """A path that is prepared for many plans. It may begin with unread runs; after the last of
    these, all messages are read.

    `request` says which messages must always be read; all plans must have its settings and
    processors. Places are indexes in `messages`, not positions.
    """

    def __init__(self, path: Transcript, request: ProjectionRequest) -> None:
        unread = [n for n, item in enumerate(path) if isinstance(item, Unread)]
        first = unread[-1] + 1 if unread else 0
        self.lead = path[:first]
        self.messages = [item for item in path[first:] if isinstance(item, Message)]
        self.positions = [message.position for message in self.messages]
        self.turns = [message.turn for message in self.messages]
        self.tokens = _sums(message.tokens for message in self.messages)
        self.results = _sums(message.role is Role.TOOL for message in self.messages)
        self.images = _sums(message.images for message in self.messages)
        self.files = _sums(message.files for message in self.messages)
        parts = grouped(path)
        led = sum(part.position < self.messages[0].position for part in parts) if first else 0
        self.lead_parts, self.parts = parts[:led], parts[led:]
        self.heads = list(self._heads())
        self.island_places = sorted(set(self._island_places(request)))
        self.islands = list(self._islands())
        self.size = PAGE

    def project(self, end: int, request: ProjectionRequest) -> Projection:
        """Plan a request for the messages before the place `end`. Raise as `project` does;
        `NeedsMore` means that the result depends on the path's own unread runs.
        """
        stop = bisect_left(self.positions, end)
        for start in self._starts(stop, request):
            try:
                return self._projected(start, stop, request)
            except NeedsMore:
                if start == 0:
                    raise
        raise AssertionError("the last start is 0")

    def _projected(self, start: int, stop: int, request: ProjectionRequest) -> Projection:
        start = self._head(start)
        lead = self._lead(start, stop, request)
        parts = (*self._ahead(start), *self._between(start, stop))
        return project((*lead, *self.messages[start:stop]), request, parts)

    def _head(self, place: int) -> int:
        """Return the start of the segment at a place, so that no call loses its result."""
        if place == len(self.messages) or self.messages[place].role is not Role.TOOL:
            return place
        return self.heads[bisect_right(self.heads, place) - 1]

    def _ahead(self, start: int) -> Segments:
        """Return the segments before a place that are always read."""
        islands = takewhile(lambda island: island[0] < start, self.islands)
        return (*self.lead_parts, *(part for _, part in islands))

    def _between(self, start: int, stop: int) -> Segments:
        """Return the segments between two places; one that continues beyond the end is made
        anew.
        """
        first, last = bisect_left(self.heads, start), bisect_left(self.heads, stop)
        head = self._head(stop)
        if head == stop:
            return self.parts[first:last]
        whole = bisect_left(self.heads, head)
        before = ids_of((*self.lead_parts, *self.parts[:whole]))
        return (*self.parts[first:whole], *segment(self.messages[head:stop], before))

    def _heads(self) -> Iterator[int]:
        """Yield for each segment the place where it begins; for one that begins with a tool's
        message, the place where the newest other segment before it begins.
        """
        head = 0
        for part in self.parts:
            first = part.messages[0] if part.messages else part.repairs[0].message
            if first.role is not Role.TOOL:
                head = bisect_left(self.positions, first.position)
            yield head

    def _island_places(self, request: ProjectionRequest) -> Iterator[int]:
        """Yield the places of all messages that are always read: preserved system messages, marked
        messages, and any message between a call and its result.
        """
        marked = request.pins | request.exclusions
        preserve = request.settings.value(PRESERVE)
        for part in self.parts:
            messages = [*part.messages, *(repair.message for repair in part.repairs)]
            places = {message.position for message in messages}
            is_kept = messages[0].withheld or (preserve and messages[0].role is Role.SYSTEM)
            if is_kept or not marked.isdisjoint(places):
                first, last = (bisect_left(self.positions, p) for p in (min(places), max(places)))
                yield from range(first, last + 1)

    def _islands(self) -> Iterator[tuple[int, Segment]]:
        """Yield the segments that are always read, each with its place."""
        places = set(self.island_places)
        for part in self.parts if places else ():
            place = bisect_left(self.positions, part.position)
            if place in places:
                yield place, part

    def _starts(self, stop: int, request: ProjectionRequest) -> Iterator[int]:
        """Yield places from which to read, newest first. Begin with the page size that was large
        enough for the last plan.
        """
        least = max(self._of_policy(stop, request), self._covered(stop, request))
        full = max(least, self._full(stop, request))
        while (start := self._page(stop)) > full:
            yield start
            self.size *= MORE
        yield from sorted({full, least, 0}, reverse=True)

    def _lead(self, start: int, stop: int, request: ProjectionRequest) -> Transcript:
        if start == 0:
            return self.lead
        covered = [bisect_left(self.positions, p.last + 1) for p in request.checkpoints]
        return (*self.lead, *self._spans(start, [*covered, self._of_policy(stop, request)]))

    def _spans(self, start: int, ends: Iterable[int]) -> Iterator[Message | Unread]:
        """Yield the messages before a place that are always read, and the unread runs between them.
        No run extends over one of `ends`.
        """
        islands = self.island_places[: bisect_left(self.island_places, start)]
        alone = set(islands)
        bounds = {0, start, *islands, *(n + 1 for n in islands), *(n for n in ends if n < start)}
        for first, following in pairwise(sorted(bounds)):
            yield self.messages[first] if first in alone else self._span(first, following)

    def _span(self, first: int, following: int) -> Unread:
        return Unread(
            first=self.positions[first],
            last=self.positions[following - 1],
            first_turn=self.turns[first],
            last_turn=self.turns[following - 1],
            tokens=self.tokens[following] - self.tokens[first],
            results=self.results[following] - self.results[first],
            images=self.images[following] - self.images[first],
            files=self.files[following] - self.files[first],
        )

    def _page(self, stop: int) -> int:
        """Return the start of a page of whole turns that contains at least the newest turn."""
        if stop <= self.size:
            return 0
        newest = bisect_left(self.turns, self.turns[stop - 1])
        return min(newest, bisect_right(self.turns, self.turns[stop - self.size - 1]))

    def _of_policy(self, stop: int, request: ProjectionRequest) -> int:
        newest = self.turns[stop - 1] if stop else 0
        return bisect_left(self.turns, horizon(request.settings, newest), 0, stop)

    def _covered(self, stop: int, request: ProjectionRequest) -> int:
        """Return the place before which a summary makes reading unnecessary."""
        newest = self.turns[stop - 1] if stop else 0
        question = bisect_left(self.turns, max(1, newest), 0, stop)
        covered = (bisect_left(self.positions, p.last + 1, 0, stop) for p in request.checkpoints)
        return max((place for place in covered if place <= question), default=0)

    def _full(self, stop: int, request: ProjectionRequest) -> int:
        """Return the start of the newest turn that does not fit into the window, provided that
        nothing is shortened.
        """
        room = request.settings.value("context_window") / request.factor
        first = bisect_left(self.tokens, self.tokens[stop] - room, 0, stop)
        return bisect_left(self.turns, self.turns[first - 1]) if first else 0


def _sums(sizes: Iterable[int]) -> list[int]:
    """Return the sum of the sizes before each place, and finally the sum of all sizes."""
    return [0, *accumulate(sizes)]
