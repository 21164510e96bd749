"""The chunks of a model's stream, and how to read them from the objects of litellm and openai."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from chatapp.llm.litellm_internals import SIGNED_ID
from chatapp.llm.reasoning.deltas import SIGNATURE, TAG, ReasoningDelta, reasoning_in, verbatim
from chatapp.llm.reasoning.tags import Piece, TagSplitter
from history.core.words.storable import storable

REASONS = {"max_tokens": "length", "eos_token": "stop", "eos": "stop", "end_turn": "stop"}
TEXT_ALONE = frozenset({"role", "content"})


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A piece of a tool call. Id and name usually come once, the arguments in several pieces."""

    index: int
    id: str
    name: str
    arguments: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReportedUsage:
    """Tokens that the provider reported; a figure is None if it reported none.

    `prompt` includes reads from the cache and writes to it, and `completion` includes reasoning,
    whatever the provider's own way of counting.
    """

    prompt: int
    completion: int
    cache_read: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None

    def as_dict(self) -> dict[str, int]:
        """Return only the figures that were reported."""
        return {name: tokens for name, tokens in asdict(self).items() if tokens is not None}


@dataclass(frozen=True, slots=True)
class Finish:
    """The last chunk of a complete answer; the provider's reason is stop, length, tool_calls..."""

    reason: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """The provider goes on with the answer in the background, under this id."""

    response: str


Delta: TypeAlias = TextDelta | ReasoningDelta | CallDelta
Chunk: TypeAlias = Delta | Accepted | ReportedUsage | Finish


@dataclass(slots=True)
class Reading:
    """A reader of chunks in OpenAI's shape; `finish` and `usage` are what the chunks have reported
    so far.

    With `tags`, text between thinking tags counts as reasoning. If that leaves the answer empty,
    the reasoning is repeated as text, so that nothing is lost.
    """

    tags: TagSplitter | None = None
    finish: str | None = None
    usage: ReportedUsage | None = None
    started: bool = False
    answered: bool = False
    tagged: list[str] = field(default_factory=list)
    repeated: int = 0  # How many characters came both as reasoning and as text.

    def read(self, raw: Any) -> Iterator[Delta | Accepted]:
        if accepted := getattr(raw, "accepted", None):
            yield Accepted(accepted)
        self.usage = usage_of(raw) or self.usage
        for choice in (getattr(raw, "choices", None) or ())[:1]:
            self.finish = _reason(choice.finish_reason) or self.finish
            for delta in self._deltas(choice.delta):
                self.started = True
                yield delta

    def rest(self) -> Iterator[Delta]:
        """Yield the text that was held back because it might have been the start of a tag, and the
        reasoning once more if the answer has no other text.
        """
        if self.tags is not None:
            yield from self._parted(self.tags.end())
        if self.tagged and not self.answered and self.finish == "stop":
            self.answered = True
            repeated = "".join(self.tagged)
            self.repeated = len(repeated)
            yield TextDelta(repeated)

    def _deltas(self, delta: Any) -> Iterator[Delta]:
        if not _is_text_alone(delta):
            for thought in reasoning_in(delta):
                if self.tags is not None:
                    # A server that sends reasoning by itself also separates it from text.
                    self.tags.opened = False
                yield thought
        for text in (getattr(delta, "content", None), getattr(delta, "refusal", None)):
            if isinstance(text, str) and text:
                pieces = self.tags.feed(storable(text)) if self.tags else [Piece(storable(text))]
                yield from self._parted(pieces)
        for call in getattr(delta, "tool_calls", None) or ():
            self.answered = True
            yield _call(call)

    def _parted(self, pieces: Iterable[Piece]) -> Iterator[Delta]:
        for text, tag in pieces:
            if tag:
                self.tagged.append(text)
                yield ReasoningDelta(text, fields={TAG: tag})
            else:
                self.answered = self.answered or not text.isspace()
                yield TextDelta(text)


def _reason(reason: Any) -> str | None:
    """Return a provider's reason to finish under its usual name."""
    return REASONS.get(reason, reason) if isinstance(reason, str) else None


def _is_text_alone(delta: Any) -> bool:
    """Return whether the chunk has only text, as most have: then there is nothing else to read."""
    return isinstance(delta, dict) and delta.keys() <= TEXT_ALONE


def usage_of(raw: Any) -> ReportedUsage | None:
    """Return the usage that a chunk reports, under OpenAI's names or litellm's."""
    usage = getattr(raw, "usage", None)
    if usage is None:
        return None
    prompt_tokens, completion_tokens = _whole(usage.prompt_tokens), _whole(usage.completion_tokens)
    if prompt_tokens is None or completion_tokens is None:
        return None
    prompt = getattr(usage, "prompt_tokens_details", None)
    completion = getattr(usage, "completion_tokens_details", None)
    return ReportedUsage(
        prompt=prompt_tokens,
        completion=completion_tokens,
        cache_read=_tokens((prompt, "cached_tokens"), (usage, "prompt_cache_hit_tokens")),
        cache_write=_tokens(
            (prompt, "cache_write_tokens"),
            (prompt, "cache_creation_tokens"),
            (usage, "cache_creation_input_tokens"),
        ),
        reasoning=_tokens((completion, "reasoning_tokens")),
    )


def _whole(value: Any) -> int | None:
    """Return a count of tokens, or None if the value is no whole number."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and value == value // 1 else None


def _tokens(*places: tuple[Any, str]) -> int | None:
    """Return the first figure that is present; providers put it in different places."""
    figures = (getattr(details, name, None) for details, name in places)
    return next((tokens for tokens in figures if isinstance(tokens, int)), None)


def _call(call: Any) -> CallDelta:
    fields = getattr(call, "provider_specific_fields", None) or {}
    id_ = _text(call.id)
    if SIGNATURE in fields:  # litellm also appends the signature to the call's id.
        id_ = id_.removesuffix(f"{SIGNED_ID}{fields[SIGNATURE]}")
    return CallDelta(
        index=call.index or 0,
        id=storable(id_),
        name=storable(_text(getattr(call.function, "name", None))),
        arguments=storable(_json(getattr(call.function, "arguments", None))),
        fields=verbatim(fields),
    )


def _text(value: Any) -> str:
    """Return an empty text in place of what should be a text but is none."""
    return value if isinstance(value, str) else ""


def _json(arguments: Any) -> str:
    """Return a call's arguments as JSON text; some servers send an object instead of a text."""
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments)
