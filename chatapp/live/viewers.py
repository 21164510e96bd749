"""Who is looking: sockets of this process that follow a conversation.

A viewer is detachable: what waits for its socket is bounded, and one that does not keep up is told
to load the page again. One that does not even take that is let go.
"""

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from history.models import Conversation
from history.services.access import Actor
from history.services.answers.lifecycle import Event

Frame = dict[str, Any]
Rights = tuple[str, bool]  # The person, and whether they are of the staff.
BUDGET = 4 * 2**20  # Bytes that wait for one socket.
QUEUE_LENGTH = 2_000  # Frames.
SIGNED_OUT = 4401  # Codes with which a socket is closed.
TOO_SLOW = 4408


class Gone(Exception):
    """The viewer has ended; nothing more is shown to it."""


class Viewer:
    """One tab. Frames wait here, as they are sent, until its socket has taken those before.

    `code` is why it has ended; while it is 0 it has not.
    """

    def __init__(self, actor: Actor, session: str = "") -> None:
        self.rights = rights_of(actor)
        self.person = person(actor)
        self.session = session
        self.conversation: UUID | None = None
        self.code = 0
        self._frames: deque[str] = deque()
        self._size = 0
        self._is_behind = False
        self._is_replaying, self._own, self._missed = False, "", False
        self._some, self._room = asyncio.Event(), asyncio.Event()
        self._room.set()

    def show(self, frame: Frame) -> None:
        self.take(encoded(frame))

    def take(self, text: str) -> None:
        """A frame as it is sent."""
        if self._is_full(text):
            self._fall_behind()
        if not self.code:
            self._put(text)

    def show_live(self, frame: Frame, text: str) -> None:
        """What happens in its conversation now."""
        if not self._is_replaying:
            self.take(text)
        elif frame.get("generation") != self._own:
            self._missed = True

    @contextmanager
    def replaying(self, own: UUID | None = None) -> Iterator[None]:
        """What happens meanwhile is not shown; a reload is, for all but the events of `own`: those
        the replay reaches by itself.
        """
        self._is_replaying, self._own, self._missed = True, str(own), False
        try:
            yield
        finally:
            self._is_replaying = False
        if self._missed and self.conversation:
            self.show(reload_frame(self.conversation))

    async def next(self) -> str | None:
        """The next frame to send; None once the viewer has ended."""
        await self._some.wait()
        if self.code:
            return None
        text = self._frames.popleft()
        self._size -= len(text)
        self._is_behind = self._is_behind and bool(self._frames)
        self._note()
        return text

    async def room(self) -> None:
        """Wait until its socket has taken most of what waits. Raises Gone."""
        await self._room.wait()
        if self.code:
            raise Gone

    def end(self, code: int) -> None:
        """Its first end counts; what waits is dropped."""
        self.code = self.code or code
        self._drop()

    def _is_full(self, text: str) -> bool:
        """A frame of any size may wait alone."""
        count = len(self._frames)
        return count >= QUEUE_LENGTH or (count > 0 and self._size + len(text) > BUDGET)

    def _fall_behind(self) -> None:
        """Too slow: what it missed it gets from the ordinary page, if it takes that."""
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
        """Let go on who waits for a frame, and who waits for room."""
        has_room = self._size <= BUDGET // 4 and len(self._frames) < QUEUE_LENGTH // 4
        for event, holds in ((self._some, bool(self._frames)), (self._room, has_room)):
            if holds or self.code:
                event.set()
            else:
                event.clear()


class Viewers:
    """All viewers of this process, by conversation and by person."""

    def __init__(self) -> None:
        self._by_conversation: defaultdict[UUID, set[Viewer]] = defaultdict(set)
        self._by_person: defaultdict[str, set[Viewer]] = defaultdict(set)

    def __iter__(self) -> Iterator[Viewer]:
        for tabs in tuple(self._by_person.values()):
            yield from tuple(tabs)

    def join(self, viewer: Viewer) -> None:
        self._by_person[viewer.person].add(viewer)

    def leave(self, viewer: Viewer) -> None:
        self.unfollow(viewer)
        self._drop(self._by_person, viewer.person, viewer)

    def follow(self, viewer: Viewer, conversation: UUID) -> None:
        """A tab shows one conversation at a time."""
        self.unfollow(viewer)
        viewer.conversation = conversation
        self._by_conversation[conversation].add(viewer)

    def unfollow(self, viewer: Viewer) -> None:
        if viewer.conversation is not None:
            self._drop(self._by_conversation, viewer.conversation, viewer)
            viewer.conversation = None

    def show(self, conversation: UUID, frame: Frame) -> None:
        if looking := self._by_conversation.get(conversation):
            text = encoded(frame)
            for viewer in looking:
                viewer.show_live(frame, text)

    def show_person(self, person: str, frame: Frame) -> None:
        for viewer in self._by_person.get(person, ()):
            viewer.show(frame)

    @staticmethod
    def _drop(table: dict[Any, set[Viewer]], key: object, viewer: Viewer) -> None:
        table[key].discard(viewer)
        if not table[key]:
            del table[key]


viewers = Viewers()


def person(actor: Actor) -> str:
    """Whose tabs they are, whatever session each of them has."""
    return named(actor.user.pk if actor.user else None, actor.visitor)


def named(user: int | None, visitor: str) -> str:
    """As they are called here."""
    return f"visitor:{visitor}" if user is None else f"user:{user}"


def whose(conversation: Conversation) -> str:
    """The same of whom a conversation belongs to."""
    owner = conversation.owner_id
    return f"user:{owner}" if owner else f"visitor:{conversation.visitor}"


def rights_of(actor: Actor) -> Rights:
    """What a socket was opened with: it ends where they change."""
    return person(actor), actor.is_staff


def encoded(frame: Frame) -> str:
    """As it is sent; ASCII, so that its length is its size."""
    return json.dumps(frame)


def event_frame(conversation_id: UUID, generation_id: UUID, event: Event) -> Frame:
    """An event as a viewer's socket takes it."""
    return {
        "type": "event",
        "conversation": str(conversation_id),
        "generation": str(generation_id),
        "seq": event.seq,
        "kind": event.kind,
        "data": event.data,
    }


def reload_frame(conversation_id: UUID) -> Frame:
    """Tell a tab to fetch its page again."""
    return {"type": "reload", "conversation": str(conversation_id)}
