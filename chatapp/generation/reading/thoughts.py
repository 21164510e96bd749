"""Put together a model's reasoning from the pieces of its stream."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chatapp.llm.chunks import CallDelta, Chunk, Finish, TextDelta
from chatapp.llm.reasoning.deltas import ReasoningDelta
from history.core.transcript.bond import Bond
from history.core.transcript.parts import Reasoning, ReasoningForm

BEFORE = Finish("")  # Ended thinking before this process read the stream.
SAME = ("type", "index", "field", "tag")  # Fields by which a provider tells its blocks apart.


def size_of(fields: Mapping[str, Any]) -> int:
    """Return the size of a provider's fields in bytes, roughly."""
    return sum(len(str(value)) for value in fields.values())


def stored_size(texts: Iterable[str], fields: Iterable[Mapping[str, Any]]) -> int:
    """Return how many bytes these texts and fields of an answer take up."""
    return sum(len(text.encode("utf-8", "replace")) for text in texts) + sum(map(size_of, fields))


def new_in(fields: Mapping[str, Any], earlier_fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that are new: many providers repeat fields with every piece."""
    return {name: value for name, value in fields.items() if earlier_fields.get(name) != value}


@dataclass(slots=True)
class _Thought:
    form: ReasoningForm
    fields: dict[str, Any]
    at: int
    texts: list[str] = field(default_factory=list)

    def takes(self, delta: ReasoningDelta) -> bool:
        """Whether this piece continues the block, which ends with its signature."""
        if self.form in {ReasoningForm.SIGNED, ReasoningForm.REDACTED}:
            return False
        if delta.form == ReasoningForm.REDACTED:
            return False
        return all(self.fields.get(name) == delta.fields.get(name) for name in SAME)

    def add(self, delta: ReasoningDelta) -> None:
        self.texts.append(delta.text)
        self.fields.update(delta.fields)
        if delta.form == ReasoningForm.SIGNED:
            self.form = delta.form


class Thoughts:
    """The blocks of one response's reasoning in order, and how long the model thought."""

    def __init__(self, family: str, bond: Bond | None = None) -> None:
        self._family = family
        self._bond = bond
        self._thoughts: list[_Thought] = []
        self.took_ms = 0
        self._last: Chunk | None = None  # The chunk that ended thinking.

    def ended(self, took_ms: int) -> None:
        """Note that thinking was over before the stream was read again."""
        self.took_ms, self._last = took_ms, BEFORE

    def again(self) -> "Thoughts":
        """Return empty thoughts for the same stream, which is read again from its start."""
        thoughts = Thoughts(self._family, self._bond)
        if self._last is not None:
            thoughts.ended(self.took_ms)
        return thoughts

    def growth(self, delta: ReasoningDelta) -> int:
        """Return how many bytes a piece would add."""
        goes_on = self._thoughts and self._thoughts[-1].takes(delta)
        fields = self._thoughts[-1].fields if goes_on else {}
        return len(delta.text.encode()) + size_of(new_in(delta.fields, fields))

    def add(self, delta: ReasoningDelta, at: int = 0) -> None:
        """Add a piece that came after so many characters of the text."""
        if not self._thoughts or not self._thoughts[-1].takes(delta):
            self._thoughts.append(_Thought(delta.form, {}, at))
        self._thoughts[-1].add(delta)

    def note(self, chunk: Chunk, seconds: float) -> None:
        """Note when a chunk came: with the first text or call after it, thinking is over."""
        if self._last is not None:
            return
        if self._thoughts and isinstance(chunk, TextDelta | CallDelta):
            self._last = chunk
        if self._last or isinstance(chunk, ReasoningDelta):
            self.took_ms = round(seconds * 1000)

    def ends_with(self, chunk: Chunk) -> bool:
        return self._last is chunk

    def parts(self, reported: int) -> tuple[Reasoning, ...]:
        """Return the blocks as parts, among which the reported tokens are divided."""
        whole = [self._part(thought) for thought in self._thoughts]
        sizes = [len(part.text) or 1 for part in whole]
        shares = [reported * size // sum(sizes) for size in sizes]
        if whole:
            shares[0] += reported - sum(shares)
            whole[0] = replace(whole[0], took_ms=self.took_ms)
        return tuple(replace(part, tokens=share) for part, share in zip(whole, shares, strict=True))

    def _part(self, thought: _Thought) -> Reasoning:
        text = "".join(thought.texts)
        return Reasoning(
            thought.form, text, self._family, thought.fields, at=thought.at, bond=self._bond
        )
