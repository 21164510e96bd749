"""The way to the other branches, at each place where they leave the path."""

from dataclasses import dataclass
from uuid import UUID

from history.models import Branch, Conversation, Generation
from history.services.reading import siblings


@dataclass(frozen=True, slots=True)
class Switcher:
    """Other branches at this place. `previous` and `next` are branches to change to."""

    conversation: UUID
    number: int
    total: int
    previous: int | None
    next: int | None


def switchers(conversation: Conversation, branch: Branch) -> dict[int, Switcher]:
    """By position."""
    found = siblings(conversation, branch).items()
    return {position: _switcher(branches, branch) for position, branches in found}


def switchers_of(generation: Generation) -> dict[int, Switcher]:
    """Those of the path that a generation writes to."""
    return switchers(generation.conversation, generation.branch)


def _switcher(branches: list[int], current: Branch) -> Switcher:
    place = branches.index(current.pk)
    return Switcher(
        conversation=current.conversation_id,
        number=place + 1,
        total=len(branches),
        previous=branches[place - 1] if place else None,
        next=branches[place + 1] if place + 1 < len(branches) else None,
    )
