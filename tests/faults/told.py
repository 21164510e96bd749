"""What clients were told while everything broke: an audit compares it with what is stored."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

TOLD, FOUND = "told.json", "found.json"  # Files in a folder of data: this, and what an audit found.


@dataclass(frozen=True)
class Acknowledged:
    """A message that the server said it has."""

    client_msg_id: str
    text: str
    conversation: str
    generation: str


@dataclass
class Told:
    """What all clients heard. Each adds its own; nothing is ever taken back.

    `events` are those that somebody saw, by generation and number, as digests; `ends` are the
    statuses that the last of them told.
    """

    messages: list[Acknowledged] = field(default_factory=list)
    events: dict[str, dict[int, str]] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)

    def saw(self, frame: dict[str, Any]) -> bool:
        """Note an event; return False if that number was another event before."""
        seen = self.events.setdefault(frame["generation"], {})
        digest = digest_of(frame["kind"], frame["data"])
        if frame["kind"] == "end":
            self.ends[frame["generation"]] = frame["data"]["status"]
        return seen.setdefault(frame["seq"], digest) == digest

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))

    @classmethod
    def read(cls, path: Path) -> "Told":
        kept = json.loads(path.read_text())
        events = {
            generation: {int(seq): digest for seq, digest in seen.items()}
            for generation, seen in kept["events"].items()
        }
        messages = [Acknowledged(**message) for message in kept["messages"]]
        return cls(messages, events, kept["ends"])


def digest_of(kind: str, data: Any) -> str:
    """Name an event by what it says, whatever order its fields have in a database."""
    return hashlib.sha256(json.dumps([kind, data], sort_keys=True).encode()).hexdigest()[:16]
