"""Show tabs the events of other processes' generations, each once and in order.

The bus brings events early; those it lost or brought out of order are read from the log. The log is
also polled now and then, even if the bus says nothing.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from chatapp.databases.threads import in_database
from chatapp.live.bus import bus, of_conversation, of_person
from chatapp.live.logged_events import Progress, logged, progress
from chatapp.live.untold_ends import UntoldEnds, lacks_end
from chatapp.live.viewers import Frame, encoded, event_frame, reload_frame, viewers
from chatapp.telemetry.metrics import BUS

logger = logging.getLogger(__name__)
LOOK_SECONDS = 2.0  # How often the log is looked at.
LOOK_SECONDS_ALONE = 0.3  # The same while Redis is lost.
MEND_SECONDS = 0.1  # How often missing events are looked for; the log is written every 0.2 s.
MOST_TRIES = 50
RECENT = 300  # The most events kept: far more than come between two writes of the log.
END = 2**31 - 1  # Larger than any number in the log.
IN_PIECES = {"delta", "thinking"}  # The events that come many times a second.
AT_ONCE = 500  # The most conversations in one query.


@dataclass(slots=True)
class ShownEvents:
    """The events of one generation that tabs here were shown; `early` events wait for those before
    them.

    `recent` ends with the newest event, which may not be in the log yet.
    """

    newest: int = 0
    early: dict[int, str] = field(default_factory=dict)
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=RECENT))


class Elsewhere:
    """The conversations that tabs of this process show, and which of their events were shown."""

    def __init__(self) -> None:
        self._told: dict[UUID, dict[UUID, ShownEvents]] = {}
        self._beginning: dict[UUID, asyncio.Task[None]] = {}
        self._mending: dict[UUID, asyncio.Task[None]] = {}
        self._untold_ends = UntoldEnds()

    def follow(self, conversation: UUID) -> None:
        """Begin to receive a conversation's events, from the present state of its log on."""
        bus.follow(of_conversation(conversation))
        self._told[conversation] = {}
        work = self._begin(conversation)
        self._beginning[conversation] = asyncio.create_task(work, name=f"follow {conversation}")

    def unfollow(self, conversation: UUID) -> None:
        bus.unfollow(of_conversation(conversation))
        self._told.pop(conversation, None)
        for tasks in (self._beginning, self._mending):
            if task := tasks.pop(conversation, None):
                task.cancel()

    def join(self, person: str) -> None:
        bus.follow(of_person(person))

    def leave(self, person: str) -> None:
        bus.unfollow(of_person(person))

    def say(self, conversation: UUID, frame: Frame) -> None:
        whose, topic = "- 0", of_conversation(conversation)
        if frame["type"] == "event":
            generation, seq = frame["generation"], frame["seq"]
            self.note(conversation, UUID(generation), seq)
            if frame["kind"] in IN_PIECES and not bus.is_followed(topic):
                BUS.count("spared")
                return
            whose = f"{generation} {seq}"
        bus.say(topic, f"{whose} {encoded(frame)}")

    def say_person(self, person: str, frame: Frame) -> None:
        bus.say(of_person(person), f"- 0 {encoded(frame)}")

    def note(self, conversation: UUID, generation: UUID, seq: int) -> None:
        """Note that tabs here have a generation's events up to number `seq`."""
        if (states := self._told.get(conversation)) is not None:
            state = states.setdefault(generation, ShownEvents())
            if seq > state.newest:
                state.newest = seq
                state.recent.clear()

    def hear(self, conversation: UUID, generation: UUID, seq: int, text: str) -> None:
        """Show another process's event as soon as everything before it has been shown."""
        if (states := self._told.get(conversation)) is None:
            return
        state = states.setdefault(generation, ShownEvents())
        if seq > state.newest:
            state.early[seq] = text
        if conversation not in self._beginning:
            self._release(conversation, generation, state)
            if state.early:
                self._mend(conversation)

    def has_begun(self, conversation: UUID, generation: UUID) -> bool:
        """Return whether tabs here have been shown any event of the generation."""
        state = self._told.get(conversation, {}).get(generation)
        return state is not None and state.newest > 0

    async def known(self, conversation: UUID) -> None:
        """Wait until the state that the log had when following began has been read."""
        if task := self._beginning.get(conversation):
            await asyncio.wait({task})

    async def reach(self, conversation: UUID, generation: UUID, seq: int = END) -> None:
        """Show what the log has up to this event before a tab replays it, so that the bus's later
        copies of these events are ignored.
        """
        if conversation in self._told:
            await self._read(conversation, generation, seq)

    def after(self, conversation: UUID, generation: UUID, seq: int) -> list[str] | None:
        """Return the events after number `seq` that tabs here were shown. Return None if some are
        no longer kept here, or if event `seq` has not arrived here yet: another process showed it
        to the tab before the log had it.
        """
        state = self._told.get(conversation, {}).get(generation) or ShownEvents()
        missing = state.newest - seq
        if not 0 <= missing <= len(state.recent):
            return None
        return list(state.recent)[len(state.recent) - missing :]

    async def _begin(self, conversation: UUID) -> None:
        try:
            for row in await in_database(progress, [conversation]):
                self.note(conversation, row.generation, row.seq)
        except Exception:
            logger.exception("Conversation %s is followed from its beginning", conversation)
        self._beginning.pop(conversation, None)
        self._mend(conversation)

    def _release(self, conversation: UUID, generation: UUID, state: ShownEvents) -> None:
        """Show the next events in order, as far as they have arrived."""
        while (text := state.early.pop(state.newest + 1, None)) is not None:
            state.newest += 1
            state.recent.append(text)
            viewers.show_here(conversation, str(generation), text)
        state.early = {seq: text for seq, text in state.early.items() if seq > state.newest}

    def _mend(self, conversation: UUID) -> None:
        """Read from the log what is missing before an early event."""
        if conversation not in self._mending and self._early(conversation):
            work = self._mended(conversation)
            task = asyncio.create_task(work, name=f"mend {conversation}")
            self._mending[conversation] = task

    async def _mended(self, conversation: UUID) -> None:
        try:
            for _ in range(MOST_TRIES):
                for generation, upto in self._early(conversation):
                    await self._read(conversation, generation, upto)
                if not self._early(conversation):
                    return
                await asyncio.sleep(MEND_SECONDS)
            self._give_up(conversation)
        except Exception as error:
            logger.warning("The log of %s cannot be read yet: %s", conversation, error)
        finally:
            self._mending.pop(conversation, None)

    def _early(self, conversation: UUID) -> list[tuple[UUID, int]]:
        states = self._told.get(conversation, {})
        return [(pk, max(state.early)) for pk, state in states.items() if state.early]

    async def _read(self, conversation: UUID, generation: UUID, upto: int) -> None:
        """Show the events from the log that follow the newest one here without a gap."""
        state = self._told[conversation].setdefault(generation, ShownEvents())
        while state.newest < upto:
            where = (conversation, generation, (state.newest, upto))
            events = await in_database(logged, *where)
            before = state.newest
            for event in events:
                text = encoded(event_frame(conversation, generation, event))
                state.early.setdefault(event.seq, text)
            self._release(conversation, generation, state)
            if state.newest == before:
                return

    def _give_up(self, conversation: UUID) -> None:
        """Make tabs load the page again, because the log lacks events that they should be shown."""
        for state in self._told.get(conversation, {}).values():
            state.newest = max([state.newest, *state.early])
            state.early.clear()
            state.recent.clear()
        viewers.show_here(conversation, "", encoded(reload_frame(conversation)))

    async def watch(self, is_here: Callable[[UUID], bool]) -> None:
        """Look at the log regularly for as long as the process lives, whatever the bus brings."""
        while bus.is_used:
            await asyncio.sleep(LOOK_SECONDS if bus.is_connected else LOOK_SECONDS_ALONE)
            try:
                await self._look(is_here)
            except Exception as error:
                logger.warning("The log cannot be looked at: %s", error)

    async def _look(self, is_here: Callable[[UUID], bool]) -> None:
        followed = [pk for pk in self._told if pk not in self._beginning]
        looked_at: list[Progress] = []
        for start in range(0, len(followed), AT_ONCE):
            rows = await in_database(progress, followed[start : start + AT_ONCE])
            looked_at += [row for row in rows if not is_here(row.generation)]
        for row in looked_at:
            await self._catch_up(row)
        for row in self._untold_ends.overdue(looked_at):
            if await in_database(lacks_end, row):
                viewers.show_here(row.conversation, "", encoded(reload_frame(row.conversation)))

    async def _catch_up(self, row: Progress) -> None:
        if row.conversation in self._told and row.conversation not in self._beginning:
            await self._read(row.conversation, row.generation, row.seq)


elsewhere = Elsewhere()


def hear(topic: str, text: str) -> None:
    """Show what another process said: `generation seq frame`; a dash stands for no generation."""
    kind, _, name = topic.partition(":")
    generation, seq, frame = text.split(" ", 2)
    if kind == "person":
        viewers.show_person_here(name, frame)
    elif generation == "-":
        viewers.show_here(UUID(name), "", frame)
    else:
        elsewhere.hear(UUID(name), UUID(generation), int(seq), frame)


def resync() -> None:
    """Make every tab load again what it may have missed besides events, which the log has."""
    for viewer in viewers:
        if viewer.conversation is not None:
            viewer.show(reload_frame(viewer.conversation))
        viewer.show({"type": "list"})
