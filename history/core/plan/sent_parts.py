"""The parts that are sent with a message's text (reasoning, images, files), and their tokens."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from history.core.transcript.messages import Message
from history.core.transcript.parts import Image, Omitted, Part, Reasoning


@dataclass(frozen=True, slots=True)
class SentPart:
    """A part as it is sent. `place` is its place among the parts of the stored message.

    `tokens` are in our count, as everywhere in a plan. An omitted part is sent as a placeholder.
    `whole` is what the part costs in full, as the model counts, and `stored` its share of the
    stored message's tokens, which is 0 for reasoning.
    """

    kind: str
    place: int
    tokens: int
    omitted: bool = False
    whole: int = 0
    stored: int = 0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "SentPart":
        return cls(**data)


def sent_parts(original: Message, message: Message) -> tuple[SentPart, ...]:
    """Match a message's sent parts to its stored parts, in order; only reasoning may be missing."""
    return tuple(_related(original.parts, message.parts)) if message.parts else ()


def _related(originals: Sequence[Part], parts: Sequence[Part]) -> Iterator[SentPart]:
    place = 0
    for part in parts:
        while isinstance(originals[place], Reasoning) and originals[place] != part:
            place += 1
        yield _sent(originals[place], part, place)
        place += 1


def _sent(original: Part, part: Part, place: int) -> SentPart:
    match part:
        case Omitted():
            return SentPart(
                part.of, place, part.tokens, omitted=True, whole=part.whole, stored=original.tokens
            )
        case Reasoning():
            return SentPart(part.kind, place, part.tokens, whole=part.tokens)
    whole = part.tokens if isinstance(part, Image) else original.tokens
    return SentPart(part.kind, place, part.tokens, whole=whole, stored=original.tokens)
