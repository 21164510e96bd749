"""A plan, which records what a projection did with every message, and why."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from history.core.plan.sent_parts import SentPart
from history.core.plan.verdict import CHANGED, SENT, Verdict
from history.core.plan.window import WindowSums
from history.core.settings.resolved import Settings
from history.core.transcript.reasoning import ReasoningRule
from history.core.words.facts import Fact, Note

PLANNER_VERSION = 8


def digest(text: str) -> str:
    """Return twelve hexadecimal digits that identify a text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Entry:
    """A run of consecutive messages with the same verdict and reasons, or an injected text.

    `tokens` are the run's tokens in the transcript, `sent_tokens` those that are sent. An injected
    entry has a label, no place, no turn, and no tokens in the transcript; `digest` identifies its
    text. `level` says which processor chain decided. `of_turns` is the number of all turns if the
    entry is trimmed, otherwise None. A message that is sent with `parts` has an entry of its own.
    """

    verdict: Verdict
    first: int | None = None
    last: int | None = None
    first_turn: int | None = None
    last_turn: int | None = None
    count: int = 1
    tokens: int = 0
    sent_tokens: int = 0
    rule: str = ""
    setting: str = ""
    reasons: tuple[Fact, ...] = ()
    label: str = ""
    level: str = ""
    digest: str = ""
    of_turns: int | None = None
    parts: tuple[SentPart, ...] = ()

    @property
    def whole(self) -> int:
        """The full cost of the entry's messages in tokens, with images as the model counts them,
        and with the reasoning that is sent.
        """
        return self.tokens + sum(part.whole - part.stored for part in self.parts)

    @property
    def sizes(self) -> tuple[int, int] | None:
        """The sizes of the messages in full and as sent, if they are sent in another form."""
        return (self.whole, self.sent_tokens) if self.verdict in CHANGED else None

    @property
    def turns(self) -> tuple[int, int] | None:
        """The first and the last of the turns that are trimmed."""
        return None if self.of_turns is None else (self.first_turn or 0, self.last_turn or 0)

    @property
    def grounds(self) -> tuple[Any, ...]:
        """A key that is equal for two entries with the same explanation."""
        return self.reasons, self.sizes, self.turns, self.of_turns

    @property
    def positions(self) -> range:
        """The positions of the entry's messages; empty for an injected entry."""
        return (
            range(0)
            if self.first is None or self.last is None
            else range(self.first, self.last + 1)
        )

    def as_dict(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in FIELDS}
        lists = {
            "reasons": [fact.as_dict() for fact in self.reasons],
            "parts": [part.as_dict() for part in self.parts],
        }
        return {**own, **lists}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Entry":
        reasons = tuple(map(Fact.from_dict, data["reasons"]))
        parts = tuple(map(SentPart.from_dict, data["parts"]))
        read = {"verdict": Verdict(data["verdict"]), "reasons": reasons, "parts": parts}
        return cls(**{**data, **read})


FIELDS = tuple(each.name for each in fields(Entry))


@dataclass(frozen=True, slots=True)
class Counts:
    """How many messages the transcript has, and what became of them; `last_turn` is the number of
    the current turn.
    """

    transcript: int
    sent: int
    trimmed: int
    repaired: int
    last_turn: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole plan. Entries are in the request's order; `counter` is the name of the token
    counter.

    `settled` is as in `ProjectionRequest`. `budget` and `limit` are the tokens that the history may
    cost: the first by the settings, the second at the very most. `opening` tokens are reserved for
    an opening, whether or not it is sent. `percent` of the room was allowed, and `factor` is as in
    `ProjectionRequest`. `reasoning` says which reasoning is sent; `reasoning_unsent` are the tokens
    of reasoning that was left out of sent messages, by the reason. `image_rule` names the rule by
    which images were counted. `new_prompts` are the turns before which another system prompt is
    sent.
    """

    entries: tuple[Entry, ...]
    settings: Settings
    window: WindowSums
    counts: Counts
    counter: str
    notes: tuple[Note, ...] = ()
    settled: int = 0
    budget: int = 0
    limit: int = 0
    opening: int = 0
    factor: float = 1.0
    percent: int = 100
    reasoning: ReasoningRule = field(default_factory=ReasoningRule)
    reasoning_unsent: Mapping[str, int] = field(default_factory=dict, hash=False)
    image_rule: str = ""
    new_prompts: tuple[int, ...] = ()
    version: int = PLANNER_VERSION

    def entry_at(self, position: int) -> Entry:
        """Return the entry with this position. Raise `LookupError` if no entry has it."""
        for entry in self.entries:
            if position in entry.positions:
                return entry
        raise LookupError(f"position {position} is not in this plan")

    def verdict_of(self, position: int) -> Verdict:
        return self.entry_at(position).verdict

    def sent_positions(self) -> Iterator[range]:
        return (e.positions for e in self.entries if e.verdict in SENT)

    def not_sent(self) -> tuple[Entry, ...]:
        return tuple(e for e in self.entries if e.positions and e.verdict not in SENT)

    def as_dict(self) -> dict[str, Any]:
        return {
            "entries": [entry.as_dict() for entry in self.entries],
            "settings": self.settings.as_dict(),
            "window": asdict(self.window),
            "counts": asdict(self.counts),
            "counter": self.counter,
            "notes": [note.as_dict() for note in self.notes],
            "settled": self.settled,
            "budget": self.budget,
            "limit": self.limit,
            "opening": self.opening,
            "factor": self.factor,
            "percent": self.percent,
            "reasoning": self.reasoning.as_dict(),
            "reasoning_unsent": dict(self.reasoning_unsent),
            "image_rule": self.image_rule,
            "new_prompts": list(self.new_prompts),
            "version": self.version,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Plan":
        return cls(
            entries=tuple(map(Entry.from_dict, data["entries"])),
            settings=Settings.from_dict(data["settings"]),
            window=WindowSums(**data["window"]),
            counts=Counts(**data["counts"]),
            counter=data["counter"],
            notes=tuple(map(Note.from_dict, data["notes"])),
            settled=data["settled"],
            budget=data["budget"],
            limit=data["limit"],
            opening=data["opening"],
            factor=data["factor"],
            percent=data["percent"],
            reasoning=ReasoningRule.from_dict(data["reasoning"]),
            reasoning_unsent=data["reasoning_unsent"],
            image_rule=data["image_rule"],
            new_prompts=tuple(data.get("new_prompts", ())),
            version=data["version"],
        )
