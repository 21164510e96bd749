"""What a person decided about a bubble, or about a tool card: pinned, excluded, neither, or in
part.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from history.models import Message
from history.services.path.marks import Marks

NONE, PARTLY = "none", "partly"


@dataclass(frozen=True, slots=True)
class Marked:
    """Kinds by a message of each segment: what is marked together, whole."""

    kinds: dict[int, str]

    @property
    def state(self) -> str:
        """`pin`, `exclusion`, `none`, or `partly` where segments differ."""
        found = set(self.kinds.values()) or {""}
        return (found.pop() or NONE) if len(found) == 1 else PARTLY

    @property
    def as_json(self) -> str:
        """For the page, which asks for other marks by these numbers."""
        return json.dumps(self.kinds)


def marked(messages: Iterable[Message], marks: Marks) -> Marked:
    return Marked({message.pk: marks.of(message) or "" for message in messages})
