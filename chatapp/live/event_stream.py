"""The numbered events of one running generation, which viewers see at once."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from typing import Any, TypeAlias

from chatapp.limits.fair_pool import FairPool
from chatapp.limits.shared_places import RENDERINGS
from chatapp.live.pace import pace
from chatapp.markdown import BlockStream
from chatapp.markdown.joining import seam
from history.services.answers.lifecycle import Event

logger = logging.getLogger(__name__)
Work: TypeAlias = Callable[[], str]

_renderers: FairPool[str] = FairPool(RENDERINGS)
RENDERED_HERE = 2_000  # Texts with more characters are rendered in a thread, since it takes long.


class EventStream:
    """Numbers events. The first text is sent at once, later text in portions.

    `seq` is the number of the last event before this stream began. While a long text is being
    rendered in a thread, all other events wait, so that they keep their order.
    """

    def __init__(
        self,
        show: Callable[[Event], None],
        seq: int = 0,
    ) -> None:
        self.seq = seq
        self.events: list[Event] = []
        self._show = show
        self._shown_count = 0
        self._waits_for_log = False
        self._logged = 0
        self._all_logged = asyncio.Event()
        self._held = ""
        self._held_as = "delta"
        self._blocks = BlockStream()
        self._before = ""
        self._read = Counter[str]()  # Characters read of this step's text and reasoning.
        self._shown = Counter[str]()  # Characters of them that viewers have.
        self._rendering: asyncio.Task[None] | None = None
        self._waiting: deque[Callable[[], None]] = deque()
        self._last_text = -inf
        self._timer: asyncio.TimerHandle | None = None

    def emit(self, kind: str, **data: Any) -> None:
        self._release()
        pace.leave(self)  # The text has paused, or ended.
        self._in_order(partial(self._number, kind, data))

    def go_on(self, before: str) -> None:
        """Begin within a block that viewers already have."""
        self._blocks.feed(before)
        self._before = before

    def go_on_with(self, pieces: Iterable[str], thinking: str) -> None:
        """Begin with an answer that is read from its start, of which viewers have these pieces of
        text and this reasoning.
        """
        for piece in pieces:
            self._blocks.feed(piece)
            self._shown["delta"] += len(piece)
        self._shown["thinking"] = len(thinking)

    def start_over(self) -> None:
        """Note that the step's answer is read again from its start."""
        self._read.clear()

    def text(self, delta: str) -> None:
        """Add text of the answer; it is held back briefly after the text before it."""
        self._hold("delta", self._new("delta", delta))

    def thinking(self, delta: str) -> None:
        """Add to the model's reasoning; it is held back in the same way."""
        self._hold("thinking", self._new("thinking", delta))

    def _new(self, kind: str, delta: str) -> str:
        """Return what viewers do not have yet of a piece."""
        new = delta[max(0, self._shown[kind] - self._read[kind]) :]
        self._read[kind] += len(delta)
        self._shown[kind] += len(new)
        return new

    def _hold(self, kind: str, delta: str) -> None:
        if not delta:
            return
        if kind != self._held_as:
            self._release()
        self._held_as = kind
        self._held += delta
        if self._timer is not None:
            return
        now = asyncio.get_running_loop().time()
        wait = self._last_text + pace.seconds - now
        if wait <= 0:
            self._release()
        else:
            self._timer = asyncio.get_running_loop().call_later(wait, self._release)

    def end_step(self) -> None:
        """End the step: its text is a complete message, and what follows belongs to another."""
        self._release()
        self._read.clear()
        self._shown.clear()
        self._in_order(self._end_step)

    async def settled(self) -> None:
        """Wait until nothing is pending."""
        while self._rendering is not None:
            await asyncio.wait({self._rendering})

    @property
    def unlogged(self) -> list[Event]:
        return self.events[self._logged :]

    @property
    def newest(self) -> int:
        """The number of the last event that is shown."""
        return self.seq + self._shown_count

    def after(self, seq: int, most: int) -> list[Event]:
        """Return the stream's first `most` shown events after number `seq`, without a gap."""
        first = max(seq - self.seq, 0)
        return self.events[first : min(first + most, self._shown_count)]

    def next_event(self, kind: str, data: dict[str, Any]) -> Event:
        return Event(self.seq + len(self.events) + 1, kind, data)

    def _release(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._held:
            return
        text, self._held = self._held, ""
        self._last_text = asyncio.get_running_loop().time()
        pace.enter(self)
        if self._held_as == "thinking":
            self._in_order(partial(self._number, "thinking", {"text": text}))
        else:
            self._in_order(partial(self._take, text))

    def _in_order(self, action: Callable[[], None]) -> None:
        if self._rendering is None:
            action()
        else:
            self._waiting.append(action)

    def _take(self, text: str) -> None:
        text, self._before = seam(self._before, text) + text, ""
        self._number("delta", {"text": text})
        size = self._blocks.open_size + len(text) if self._blocks.is_due(text) else 0
        self._render(partial(self._blocks.feed, text), size)

    def _end_step(self) -> None:
        ended, self._blocks = self._blocks, BlockStream()
        if ended.open_size:
            self._render(ended.end, ended.open_size)

    def _render(self, work: Work, size: int) -> None:
        if size <= RENDERED_HERE:
            self._settle(_html_of(work))
        else:
            self._rendering = asyncio.create_task(self._render_aside(work))

    async def _render_aside(self, work: Work) -> None:
        try:
            html = await asyncio.wrap_future(_renderers.submit(partial(_html_of, work)))
        finally:
            self._rendering = None
        self._settle(html)
        while self._waiting and self._rendering is None:
            self._waiting.popleft()()

    def _settle(self, html: str) -> None:
        if html:
            rest = {"is_plain": True} if self._blocks.is_full else {}
            self._number("block", {"html": html, "tail": self._blocks.tail, **rest})

    def _number(self, kind: str, data: dict[str, Any]) -> None:
        self.events.append(self.next_event(kind, data))
        if not self._waits_for_log:
            self._show_up_to(len(self.events))

    def _show_up_to(self, count: int) -> None:
        events, self._shown_count = self.events[self._shown_count : count], count
        for event in events:
            self._show(event)

    def note_logged(self, count: int) -> None:
        """Note that the first `count` of the `unlogged` events have been written."""
        self._logged += count
        if self._waits_for_log:
            self._show_up_to(self._logged)
        if not self.unlogged:
            self._all_logged.set()

    async def show_when_logged(self) -> None:
        """Show events only once they are written, from now on: if this process is lost, another one
        goes on with the numbers that are written. Wait until that holds for all events shown.
        """
        self._waits_for_log = True
        self._all_logged.clear()
        if self.unlogged:
            await self._all_logged.wait()

    def show_at_once(self) -> None:
        """Show events as they come, from now on."""
        self._waits_for_log = False
        self._show_up_to(len(self.events))

    def close(self) -> None:
        """Number the text that is still held back."""
        self._release()
        pace.leave(self)


def _html_of(work: Work) -> str:
    """Render a part of the answer. If that fails, return nothing: the part was sent as plain text,
    and the whole answer is rendered again at its end.
    """
    try:
        return work()
    except Exception:
        logger.exception("A part of an answer could not be rendered")
        return ""
