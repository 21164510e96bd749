"""Viewers: sockets of this process that follow a conversation.

What waits for a viewer's socket is bounded: a slow one is told to load the page again, and one that
is too slow even for that is disconnected.
"""

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from chatapp.live.others import Nobody, Others
from history.services.access import Actor
from history.services.answers.lifecycle import Event

Frame = dict[str, Any]
Rights = tuple[str, bool]  # The person, and whether they are staff.
BUDGET = 4 * 2**20  # The most bytes that wait for one socket.
QUEUE_LENGTH = 2_000  # The most frames that wait for one socket.
SIGNED_OUT = 4401  # This and the next are codes with which a socket is closed.
TOO_SLOW = 4408


class ViewerGone(Exception):
    """The viewer has ended; nothing more is shown to it."""


class Viewer:
    """One tab. Frames wait here until its socket has taken the earlier ones.

    `code` says why the viewer has ended; it is 0 until then.
    """

    def __init__(self, actor: Actor, session: str = "") -> None:
        self.rights = rights_of(actor)
        self.person = actor.person
        self.session = session
        self.conversation: UUID | None = None
        self.code = 0
        self._frames: deque[str] = deque()
        self._size = 0
        self._is_behind = False
        self._is_replaying, self._own = False, ""
        self._missed: set[str] = set()
        self._some, self._room = asyncio.Event(), asyncio.Event()
        self._room.set()

    def show(self, frame: Frame) -> None:
        self.take(encoded(frame))

    def take(self, text: str) -> None:
        """Queue an encoded frame."""
        if self._is_full(text):
            self._fall_behind()
        if not self.code:
            self._put(text)

    def show_live(self, generation: str, text: str) -> None:
        """Show an event of the viewer's conversation, unless older events are being replayed.
        `generation` is empty if the event belongs to no generation.
        """
        if not self._is_replaying:
            self.take(text)
        else:
            self._missed.add(generation)

    @contextmanager
    def replaying(self, own: UUID | None = None) -> Iterator[None]:
        """Withhold live events during a replay; then ask for a reload if any were lost, except
        those of the generation `own`, which the replay itself reaches.
        """
        self._is_replaying, self._missed = True, set()
        self.replays(own)
        try:
            yield
        finally:
            self._is_replaying = False
        if self._missed - {self._own} and self.conversation:
            self.show(reload_frame(self.conversation))

    def replays(self, own: UUID | None) -> None:
        self._own = str(own)

    async def next(self) -> str | None:
        """Return the next frame to send; None once the viewer has ended."""
        await self._some.wait()
        if self.code:
            return None
        text = self._frames.popleft()
        self._size -= len(text)
        self._is_behind = self._is_behind and bool(self._frames)
        self._note()
        return text

    async def room(self) -> None:
        """Wait until the socket has taken most of the waiting frames. Raise `ViewerGone`."""
        await self._room.wait()
        if self.code:
            raise ViewerGone

    def end(self, code: int) -> None:
        """End the viewer; the first code counts, and waiting frames are dropped."""
        self.code = self.code or code
        self._drop()

    def _is_full(self, text: str) -> bool:
        """Whether there is no room for a frame. A frame of any size may wait alone."""
        count = len(self._frames)
        return count >= QUEUE_LENGTH or (count > 0 and self._size + len(text) > BUDGET)

    def _fall_behind(self) -> None:
        """Drop a slow viewer's frames and tell it to reload; end it if even that is too slow."""
        if self._is_behind:
            return self.end(TOO_SLOW)
        self._drop()
        self._is_behind = True
        return self._put(encoded({"type": "reload", "conversation": str(self.conversation)}))

    def _put(self, text: str) -> None:
        self._frames.append(text)
        self._size += len(text)
        self._note()

    def _drop(self) -> None:
        self._frames.clear()
        self._size = 0
        self._note()

    def _note(self) -> None:
        """Wake those who wait for a frame or for room."""
        has_room = self._size <= BUDGET // 4 and len(self._frames) < QUEUE_LENGTH // 4
        for event, holds in ((self._some, bool(self._frames)), (self._room, has_room)):
            if holds or self.code:
                event.set()
            else:
                event.clear()


class Viewers:
    """All viewers of this process. `others` tells other processes what these viewers are shown."""

    def __init__(self) -> None:
        self.others: Others = Nobody()
        self._by_conversation: defaultdict[UUID, set[Viewer]] = defaultdict(set)
        self._by_person: defaultdict[str, set[Viewer]] = defaultdict(set)

    def __iter__(self) -> Iterator[Viewer]:
        for tabs in tuple(self._by_person.values()):
            yield from tuple(tabs)

    def join(self, viewer: Viewer) -> None:
        if viewer.person not in self._by_person:
            self.others.join(viewer.person)
        self._by_person[viewer.person].add(viewer)

    def leave(self, viewer: Viewer) -> None:
        self.unfollow(viewer)
        if self._drop(self._by_person, viewer.person, viewer):
            self.others.leave(viewer.person)

    def follow(self, viewer: Viewer, conversation: UUID) -> None:
        """Show a conversation to a viewer, which shows only one at a time."""
        self.unfollow(viewer)
        viewer.conversation = conversation
        if conversation not in self._by_conversation:
            self.others.follow(conversation)
        self._by_conversation[conversation].add(viewer)

    def unfollow(self, viewer: Viewer) -> None:
        if (conversation := viewer.conversation) is not None:
            viewer.conversation = None
            if self._drop(self._by_conversation, conversation, viewer):
                self.others.unfollow(conversation)

    def show(self, conversation: UUID, frame: Frame) -> None:
        """Show a frame to every tab that has the conversation open, in any process."""
        self.others.say(conversation, frame)
        if conversation in self._by_conversation:
            self.show_here(conversation, frame.get("generation", ""), encoded(frame))

    def show_here(self, conversation: UUID, generation: str, text: str) -> None:
        for viewer in self._by_conversation.get(conversation, ()):
            viewer.show_live(generation, text)

    def show_person(self, person: str, frame: Frame, but: Viewer | None = None) -> None:
        self.others.say_person(person, frame)
        self.show_person_here(person, encoded(frame), but)

    def show_person_here(self, person: str, text: str, but: Viewer | None = None) -> None:
        for viewer in self._by_person.get(person, set()) - {but}:
            viewer.take(text)

    def show_list(self, person: str, but: Viewer | None = None) -> None:
        """Make a person's tabs, `but` one, load their list of chats again."""
        self.show_person(person, {"type": "list"}, but)

    @staticmethod
    def _drop(table: dict[Any, set[Viewer]], key: object, viewer: Viewer) -> bool:
        """Remove a viewer; return whether it was the last one under its key."""
        table[key].discard(viewer)
        if table[key]:
            return False
        del table[key]
        return True


viewers = Viewers()


def rights_of(actor: Actor) -> Rights:
    """Return the actor's rights. A socket is opened with them, and closed when they change."""
    return actor.person, actor.is_staff


def encoded(frame: Frame) -> str:
    """Encode a frame for sending, in ASCII, so that its length is its size in bytes."""
    return json.dumps(frame)


def event_frame(conversation_id: UUID, generation_id: UUID, event: Event) -> Frame:
    """Make the frame in which a viewer's socket gets an event."""
    return {
        "type": "event",
        "conversation": str(conversation_id),
        "generation": str(generation_id),
        "seq": event.seq,
        "kind": event.kind,
        "data": event.data,
    }


def reload_frame(conversation_id: UUID) -> Frame:
    """Make the frame that tells a tab to load its page again."""
    return {"type": "reload", "conversation": str(conversation_id)}


def summary_frame(conversation_id: UUID) -> Frame:
    """Make the frame that tells a tab to ask again which summaries are in use."""
    return {"type": "summary", "conversation": str(conversation_id)}


def switcher_frame(conversation_id: UUID, html: str) -> Frame:
    """Make the frame that shows a new branch beside the open one, which stays open."""
    return {"type": "switcher", "conversation": str(conversation_id), "html": html}
