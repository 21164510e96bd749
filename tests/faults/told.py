"""What servers told clients while everything broke; the audit compares it with the database."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

TOLD, FOUND = "told.json", "found.json"  # What clients were told, and what the audit found.


@dataclass(frozen=True)
class Acknowledged:
    """A message that the server acknowledged."""

    client_msg_id: str
    text: str
    conversation: str
    generation: str


@dataclass
class Told:
    """All that the clients were told. Each client adds to it, and nothing is removed.

    `events` maps each generation to the digests of its events by number; `ends` maps it to its
    final status.
    """

    messages: list[Acknowledged] = field(default_factory=list)
    events: dict[str, dict[int, str]] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)

    def saw(self, frame: dict[str, Any]) -> bool:
        """Note an event; return False if this number already belongs to another event."""
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
    """Return a digest of an event that does not depend on the order of its fields."""
    return hashlib.sha256(json.dumps([kind, data], sort_keys=True).encode()).hexdigest()[:16]
