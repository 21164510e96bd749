"""How much text a provider's stream contained, counted from its bytes, and how much was kept."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from history.core.words.facts import Note, Rule, warning

KINDS = ("text", "reasoning", "arguments")


@dataclass(frozen=True, slots=True)
class StreamCounts:
    """The characters in a stream, by kind: as many as the provider sent, and as many as were kept.

    `replaced`: characters that no database stores. `broken`: events that could not be read.
    `unread`: names of fields that Vitrine does not store. `transformed`: the blocks of the request
    that the provider says it left out, or accepted against its rule, each with its `type`, `path`
    and `reason`. No plan expects such blocks.
    """

    said: Mapping[str, int]
    kept: Mapping[str, int]
    replaced: int = 0
    broken: int = 0
    unread: Sequence[str] = field(default_factory=list)
    transformed: Sequence[Mapping[str, str]] = field(default_factory=list)

    @property
    def differing(self) -> tuple[str, ...]:
        """The kinds whose counts differ. `{}` kept for absent arguments is no difference."""
        more = {kind for kind in KINDS if self.kept[kind] > self.said[kind]} - {"arguments"}
        less = {kind for kind in KINDS if self.kept[kind] < self.said[kind]}
        return tuple(kind for kind in KINDS if kind in more | less)

    def notes(self) -> Iterator[Note]:
        """Yield notes on text that was lost or changed; none if everything was kept as it came."""
        for kind in self.differing:
            yield warning(Rule.STREAM_LOST, kind=kind, said=self.said[kind], kept=self.kept[kind])
        if self.broken:
            yield warning(Rule.STREAM_BROKEN, count=self.broken)
        if self.replaced:
            yield warning(Rule.STREAM_REPLACED, count=self.replaced)
        if self.unread:
            yield warning(Rule.STREAM_UNREAD, names=list(self.unread))
        pairs = Counter((each.get("type", ""), each.get("reason", "")) for each in self.transformed)
        for (kind, reason), count in pairs.items():
            yield warning(Rule.STREAM_TRANSFORMED, kind=kind, reason=reason, count=count)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "StreamCounts":
        return cls(**data)
