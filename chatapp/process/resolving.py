"""Resolve generations whose process is gone: their providers go on with some, the others end."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from chatapp.generation import supervisor
from chatapp.generation.asking import forget_responses
from chatapp.live import chat_lists
from chatapp.live.viewers import reload_frame, viewers
from history.models import Generation
from history.services.answers.background import interrupt_unchanged, take_up


@dataclass(frozen=True, slots=True)
class Resolved:
    """The generations that were interrupted, and those that were queued to be read again."""

    interrupted: list[Generation] = field(default_factory=list)
    queued: list[Generation] = field(default_factory=list)


def resolve(generations: Iterable[Generation]) -> Resolved:
    """Queue those generations that their providers go on with; interrupt the others."""
    resolved = Resolved()
    for generation in generations:
        if take_up(generation):
            resolved.queued.append(generation)
        elif interrupt_unchanged(generation):
            resolved.interrupted.append(generation)
    return resolved


async def tell(resolved: Resolved) -> None:
    """Make tabs reload these answers, go on with the queued ones, and have providers forget the
    others.
    """
    for generation in (*resolved.interrupted, *resolved.queued):
        viewers.show(generation.conversation_id, reload_frame(generation.conversation_id))
        await chat_lists.refresh(generation)
    for generation in resolved.interrupted:
        await forget_responses(plan__generation=generation)
    for generation in resolved.queued:
        supervisor.start(generation)
