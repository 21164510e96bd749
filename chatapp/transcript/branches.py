"""Links to other branches, at each message where they part from the path."""

from dataclasses import dataclass
from uuid import UUID

from history.models import Branch, Conversation, Generation
from history.services.path.reading import siblings


@dataclass(frozen=True, slots=True)
class Switcher:
    """The branches to choose from at a message; `previous` and `next` stand beside the open one."""

    conversation: UUID
    number: int
    total: int
    previous: int | None
    next: int | None


def switchers(conversation: Conversation, branch: Branch) -> dict[int, Switcher]:
    """Return the switchers, by the positions of their messages."""
    choices = siblings(conversation, branch).items()
    return {position: _switcher(branches, branch) for position, branches in choices}


def switcher_at(generation: Generation, position: int) -> Switcher | None:
    """Return the switcher at a message that the generation shows. What follows a branch's first
    message has no siblings yet, so an ordinary turn costs no query.
    """
    branch = generation.branch
    if position > branch.first_own_position:
        return None
    return switchers(generation.conversation, branch).get(position)


def switcher_to(branch: Branch) -> tuple[int, Switcher] | None:
    """Return where the newest branch parts from the open one, and the switcher there."""
    opened = branch.conversation.branch
    if opened is None:
        return None
    choices = siblings(branch.conversation, opened).items()
    ways = [(at, _switcher(branches, opened)) for at, branches in choices if branch.pk in branches]
    return ways[0] if ways else None


def _switcher(branches: list[int], current: Branch) -> Switcher:
    place = branches.index(current.pk)
    return Switcher(
        conversation=current.conversation_id,
        number=place + 1,
        total=len(branches),
        previous=branches[place - 1] if place else None,
        next=branches[place + 1] if place + 1 < len(branches) else None,
    )
