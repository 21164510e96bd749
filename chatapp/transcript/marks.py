"""The marks on a bubble or a tool card: pinned, excluded, neither, or some of its segments."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from history.models import Message
from history.services.path.marks import Marks

NONE, PARTLY = "none", "partly"


@dataclass(frozen=True, slots=True)
class MarkedSegments:
    """The marks on segments. Each is stored on one message, but marks the segment as a whole."""

    kinds: dict[int, str]

    @property
    def state(self) -> str:
        """The state of all segments: `pin`, `exclusion`, `none`, or `partly` if they differ."""
        kinds = set(self.kinds.values()) or {""}
        return (kinds.pop() or NONE) if len(kinds) == 1 else PARTLY

    @property
    def as_json(self) -> str:
        """The marks as JSON, from which the page makes its requests."""
        return json.dumps(self.kinds)


def marked(messages: Iterable[Message], marks: Marks) -> MarkedSegments:
    return MarkedSegments({message.pk: marks.of(message) or "" for message in messages})
