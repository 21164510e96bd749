"""Find the path that a client goes on with, by the hashes of messages that it sends again."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from history.models import MessageHash
from history.services.access import Actor, listed_conversations

NEWEST = 4  # How many lengths are tried first: most clients go on where they stopped.
AT_ONCE = 16  # How many lengths each later query tries.


@dataclass(frozen=True, slots=True)
class StoredPrefix:
    """The first `length` messages of a path are stored, and `message` is the last of these."""

    length: int
    message: int
    conversation: UUID


def longest_stored_prefix(actor: Actor, hashes: Sequence[str]) -> StoredPrefix | None:
    """Return the longest beginning of a path that one of the actor's conversations contains, or
    None.

    `hashes` are those of a whole path (`history.core.transcript.path_hash`). All messages before a
    stored one are stored, too. So this tries a few lengths at once, and then some between the
    longest that was found and the next longer one that was tried.
    """
    prefix, longest = None, len(hashes)
    lengths = list(range(longest, max(0, longest - NEWEST), -1))
    while lengths:
        longer = _longest_of(actor, {hashes[length - 1]: length for length in lengths})
        if longer:
            prefix = longer
        shortest = prefix.length if prefix else 0
        longest = min((n for n in lengths if n > shortest), default=shortest + 1) - 1
        lengths = _between(shortest, longest)
    return prefix


def _longest_of(actor: Actor, lengths: dict[str, int]) -> StoredPrefix | None:
    """Find the longest stored beginning of these lengths, in the newest conversation with it."""
    rows = MessageHash.objects.filter(
        hash__in=lengths, conversation__in=listed_conversations(actor).order_by()
    )
    newest = rows.order_by("-message__position", "-message").values_list(
        "hash", "message", "conversation"
    )
    if (row := newest.first()) is None:
        return None
    hash_, message, conversation = row
    return StoredPrefix(lengths[hash_], message, conversation)


def _between(shortest: int, longest: int) -> list[int]:
    """Return lengths spread evenly above `shortest`, including the longest."""
    room = longest - shortest
    return sorted({shortest + -(-room * n // AT_ONCE) for n in range(1, AT_ONCE + 1)} - {shortest})
