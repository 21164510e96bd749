"""Who is looking: sockets of this process that follow a conversation.

A viewer is detachable: it holds a bounded queue, and one that does not keep up is told to reload.
"""

import asyncio
from collections import defaultdict
from typing import Any
from uuid import UUID

from history.services.access import Actor
from history.services.generations import Event

Frame = dict[str, Any]
QUEUE_LENGTH = 2_000


class Viewer:
    """One tab. Frames wait here until its socket has taken the ones before."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.frames: asyncio.Queue[Frame] = asyncio.Queue(QUEUE_LENGTH)
        self.conversation: UUID | None = None

    def show(self, frame: Frame) -> None:
        if self.frames.full():
            self._give_up()
        self.frames.put_nowait(frame)

    def _give_up(self) -> None:
        """Too slow: what it missed it gets from the ordinary page."""
        while not self.frames.empty():
            self.frames.get_nowait()
        self.frames.put_nowait({"type": "reload", "conversation": str(self.conversation)})


class Viewers:
    """All viewers of this process, by conversation and by person."""

    def __init__(self) -> None:
        self._by_conversation: defaultdict[UUID, set[Viewer]] = defaultdict(set)
        self._by_person: defaultdict[str, set[Viewer]] = defaultdict(set)

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
        for viewer in self._by_conversation.get(conversation, ()):
            viewer.show(frame)

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
    return f"user:{actor.user.pk}" if actor.user else f"visitor:{actor.visitor}"


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
