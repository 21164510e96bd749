"""Links to other branches, at each place where they leave the path."""

from dataclasses import dataclass
from uuid import UUID

from history.models import Branch, Conversation, Generation
from history.services.path.reading import siblings


@dataclass(frozen=True, slots=True)
class Switcher:
    """Other branches at this place. `previous` and `next` are branches to change to."""

    conversation: UUID
    number: int
    total: int
    previous: int | None
    next: int | None


def switchers(conversation: Conversation, branch: Branch) -> dict[int, Switcher]:
    """Return switchers by position."""
    found = siblings(conversation, branch).items()
    return {position: _switcher(branches, branch) for position, branches in found}


def switcher_at(generation: Generation, position: int) -> Switcher | None:
    """Return the switcher of a message that the generation shows. What follows the first message of
    a branch has no siblings yet, so an ordinary turn costs no query.
    """
    branch = generation.branch
    if position > branch.first_own_position:
        return None
    return switchers(generation.conversation, branch).get(position)


def _switcher(branches: list[int], current: Branch) -> Switcher:
    place = branches.index(current.pk)
    return Switcher(
        conversation=current.conversation_id,
        number=place + 1,
        total=len(branches),
        previous=branches[place - 1] if place else None,
        next=branches[place + 1] if place + 1 < len(branches) else None,
    )
