"""`max_items`: a window of messages that always contains a question, and an answer with text."""

from collections.abc import Iterable
from dataclasses import dataclass

from history.core.draft.draft import Draft
from history.core.draft.rulings import Ruling
from history.core.plan.verdict import Verdict
from history.core.transcript.messages import Message, Role
from history.core.transcript.segments import Segment, Segments, flat
from history.core.words.errors import NeedsMore
from history.core.words.facts import Rule, fact

MOST = 4  # Walking back, the window may grow to this many times `max_items`.


@dataclass(frozen=True, slots=True)
class HistoryWindow:
    """The newest `size` messages. The window starts on a grid of `stride` messages, so it may hold
    more than `size` messages; if `least` is given, it holds from `least` to `size`.

    Up to `size` messages are all kept. If there are more, the window's start walks back until the
    window contains a user and an assistant message with text, but has at most `MOST` x size
    messages. Beyond that, these two messages are kept, and the oldest segments between them are
    left out.
    """

    size: int
    stride: int = 1
    least: int | None = None

    def apply(self, draft: Draft) -> None:
        """Apply the window. Raise NeedsMore if the window, or the question and answer that it must
        contain, begins before the messages that were read.
        """
        past = draft.past
        if len(list(flat(past))) <= self.size:
            draft.require(reaches=False)
            return
        start = min(self._start(draft, past), draft.first_current)
        exchange = _exchange(past)
        first = min([start, *(m.position for m in exchange)])
        if len(exchange) < 2 or first < past[0].position:
            draft.require(reaches=False)
        segments = [part for part in past if part.position >= first]
        gone = self._beyond(segments, start, {m.position for m in exchange})
        brought = [part for part in segments if part.position < start and part not in gone]
        ruling = self._ruling(_count(segments) - _count(gone), _count(brought))
        draft.cut(_whole(past, first), ruling)
        draft.take_out(gone, ruling)
        draft.explain(brought, self._exchanged)

    def _start(self, draft: Draft, past: Segments) -> int:
        """Return the window's start: on the grid, or later, where the cache had expired."""
        cold = [m.position for m in flat(past) if m.cold and m.role is Role.USER]
        until_cold = tuple(p for p in past if cold and p.position <= cold[-1])
        grid = self._plain(past) // self.stride * self.stride
        start = max(grid, self._plain(until_cold))
        if draft.unread and start < past[0].position:
            raise NeedsMore(past[0].position)
        return start

    def _plain(self, past: Segments) -> int:
        """Return where the fewest messages that the window may hold begin; 0 if there are no older
        ones.
        """
        messages, least = list(flat(past)), self.least or self.size
        return messages[-least].position if len(messages) > least else 0

    def _beyond(self, segments: list[Segment], start: int, exchange: set[int]) -> list[Segment]:
        """Return the segments that walking back added beyond the bound, oldest first, except the
        question and the answer.
        """
        over, gone = _count(segments) - MOST * self.size, []
        for part in segments:
            if over <= 0 or part.position >= start:
                break
            if not exchange.intersection(m.position for m in part.messages):
                gone.append(part)
                over -= len(part.messages)
        return gone

    def _ruling(self, count: int, brought: int) -> Ruling:
        """Return the ruling for a cut; `brought` counts kept messages that precede the start."""
        figures = {"size": self.size, "stride": self.stride, "kept": count, "brought": brought}
        reasons = (fact(Rule.HISTORY_WINDOW, **figures),)
        return Ruling(Verdict.TRIMMED, "history window", "max_items", reasons)

    @property
    def _exchanged(self) -> Ruling:
        reasons = (fact(Rule.EXCHANGE, size=self.size),)
        return Ruling(Verdict.KEPT, "history window", "max_items", reasons)


def _count(parts: Iterable[Segment]) -> int:
    return sum(len(part.messages) for part in parts)


def _whole(past: Segments, start: int) -> int:
    """Return where the first segment that begins at or after `start` begins; the end of the past if
    there is none, because its last segment is larger than the window.
    """
    end = past[-1].messages[-1].position + 1
    return next((part.position for part in past if part.position >= start), end)


def _exchange(past: Segments) -> list[Message]:
    """Return the newest user message and the newest assistant message with text, if any."""
    newest = {
        message.role: message
        for message in flat(past)
        if message.role is Role.USER or (message.role is Role.ASSISTANT and message.has_text)
    }
    return list(newest.values())
