"""The parts of a model's stream, and how to read them from what the libraries return."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from history.core.storable import storable


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A piece of a tool call. Id and name usually come once; the arguments in pieces."""

    index: int
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ReportedUsage:
    """Tokens as the provider reported them, None if it said nothing.

    `prompt` includes cache reads and writes, and `completion` includes thinking, whatever the
    provider's own way of counting.
    """

    prompt: int
    completion: int
    cache_read: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None

    def as_dict(self) -> dict[str, int]:
        """Return what was reported, and no more."""
        return {name: tokens for name, tokens in asdict(self).items() if tokens is not None}


@dataclass(frozen=True, slots=True)
class Finish:
    """The last chunk of a whole answer, with the provider's reason: stop, length, tool_calls..."""

    reason: str


Chunk: TypeAlias = TextDelta | CallDelta | ReportedUsage | Finish


@dataclass(slots=True)
class Reading:
    """Reads chunks in OpenAI's shape; `finish` and `usage` are what they have said so far."""

    finish: str | None = None
    usage: ReportedUsage | None = None
    started: bool = False

    def read(self, raw: Any) -> Iterator[TextDelta | CallDelta]:
        self.usage = usage_of(raw) or self.usage
        for choice in raw.choices[:1] if raw.choices else ():
            self.finish = choice.finish_reason or self.finish
            for delta in _deltas(choice.delta):
                self.started = True
                yield delta


def usage_of(raw: Any) -> ReportedUsage | None:
    """Return a chunk's usage, in OpenAI's names or litellm's."""
    usage = getattr(raw, "usage", None)
    if usage is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    prompt = getattr(usage, "prompt_tokens_details", None)
    completion = getattr(usage, "completion_tokens_details", None)
    return ReportedUsage(
        prompt=usage.prompt_tokens,
        completion=usage.completion_tokens,
        cache_read=_tokens((prompt, "cached_tokens"), (usage, "prompt_cache_hit_tokens")),
        cache_write=_tokens(
            (prompt, "cache_write_tokens"),
            (prompt, "cache_creation_tokens"),
            (usage, "cache_creation_input_tokens"),
        ),
        reasoning=_tokens((completion, "reasoning_tokens")),
    )


def _tokens(*places: tuple[Any, str]) -> int | None:
    """Return the first figure that is given; providers put it in different places."""
    given = (getattr(details, name, None) for details, name in places)
    return next((tokens for tokens in given if isinstance(tokens, int)), None)


def _deltas(delta: Any) -> Iterator[TextDelta | CallDelta]:
    if isinstance(text := getattr(delta, "content", None), str) and text:
        yield TextDelta(storable(text))
    for call in getattr(delta, "tool_calls", None) or ():
        function = call.function
        yield CallDelta(
            index=call.index or 0,
            id=storable(call.id or ""),
            name=storable(getattr(function, "name", None) or ""),
            arguments=storable(_json(getattr(function, "arguments", None))),
        )


def _json(arguments: Any) -> str:
    """Return arguments as JSON text: some servers send an object instead."""
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments)
