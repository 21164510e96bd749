"""The chain of processors: those of history, network and agent; each gets what the one before it
returned.

A processor is a pure function of segments. It may drop segments, drop a segment's calls with their
results, or add notes; the plan is made from the difference. A new one is a class in `processor`, a
line in `PROCESSORS`, a line in docs/history.md, and a `Rule` with its words in
`history.wording.reasons`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

from history.core.settings import registry
from history.core.settings.options import read_options
from history.core.stages.processor import Processor, ProcessorContext, TokenLimiter, ToolCallFilter
from history.core.transcript.messages import Message
from history.core.transcript.reasoning import without_reasoning
from history.core.transcript.segments import Segment, Segments, flat
from history.core.words.errors import SettingError, SettingErrors, failed
from history.core.words.facts import Fact, Rule, fact
from history.core.words.wording import printable

LEVELS = ("history", "network", "agent")
EXAMPLE = '{"use": "tool_call_filter"}'


@dataclass(frozen=True, slots=True)
class CustomProcessor:
    """A processor made of a registered function from segments to segments."""

    name: str
    level: str
    function: Callable[[Segments], Segments]
    scope: ClassVar[str] = "all"
    reason: ClassVar[Fact] = fact(Rule.OWN_PROCESSOR)

    def apply(self, segments: Segments, flow: ProcessorContext, /) -> Segments:
        """Apply the function. Raise `ExtensionFailed` if it raises, or returns anything invalid."""
        try:
            after = tuple(part for part in self.function(segments) if part.messages)
            _check_known(after, segments)
            return _without_odd_reasoning(after, segments)
        except Exception as error:
            figures = {"name": self.name, "level": self.level}
            raise failed(error, Rule.PROCESSOR_FAILED, **figures) from error


PROCESSORS: Mapping[str, type[Any]] = {
    "tool_call_filter": ToolCallFilter,
    "token_limiter": TokenLimiter,
}


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A processor in the chain, with its name and the level that added it."""

    level: str
    name: str
    processor: Processor


Chain: TypeAlias = tuple[ChainLink, ...]


def parse_levels(data: object) -> Chain:
    """Read the list of `{"use": name, option: value}` of each level. Raise `SettingErrors`, which
    names all faults.
    """
    if not isinstance(data, Mapping):
        raise SettingErrors({"": fact(Rule.NO_LEVELS, known=list(LEVELS))})
    if unknown := sorted(printable(str(level)) for level in data.keys() - set(LEVELS)):
        raise SettingErrors({"": fact(Rule.NO_LEVEL, names=unknown, known=list(LEVELS))})
    links: list[ChainLink] = []
    errors: dict[str, Fact] = {}
    for level in LEVELS:
        for place, spec in enumerate(_list(data.get(level), level, errors), start=1):
            try:
                links.append(_link(level, spec))
            except SettingError as error:
                where = {"level": level, "place": place, "why": error.fact.as_dict()}
                errors[f"{level} {place}"] = fact(Rule.BAD_PROCESSOR, **where)
    if errors:
        raise SettingErrors(errors)
    return tuple(links)


def _list(value: object, level: str, errors: dict[str, Fact]) -> Sequence[object]:
    """Return a level's list; a level that is missing has no processors."""
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return value
    errors[level] = fact(Rule.NO_LIST, level=level)
    return ()


def _link(level: str, spec: object) -> ChainLink:
    if not isinstance(spec, Mapping) or not isinstance(name := spec.get("use"), str):
        raise SettingError(fact(Rule.NO_USE, example=EXAMPLE))
    options = {str(key): value for key, value in spec.items() if key != "use"}
    if name in PROCESSORS:
        return ChainLink(level, name, _made(name, options))
    if name in registry.processors:
        return ChainLink(
            level, name, CustomProcessor(name, level, registry.make_processor(name, options))
        )
    names = [*PROCESSORS, *registry.processors]
    raise SettingError(fact(Rule.NO_PROCESSOR, name=printable(name), known=names))


def _made(name: str, options: Mapping[str, object]) -> Processor:
    processor: Processor = PROCESSORS[name](**read_options(name, PROCESSORS[name], options))
    return processor


def _check_known(after: Segments, before: Segments) -> None:
    """Check that each remaining message is in the transcript, occurs only once, and has lost
    nothing but calls.
    """
    originals = {message.position: message for message in flat(before)}
    for message in flat(after):
        original = message if message.label else originals.pop(message.position, None)
        is_given = original is not None and _without_calls(message) == _without_calls(original)
        if original is not message and not is_given:
            raise SettingError(fact(Rule.MESSAGE_CHANGED, position=message.position))


def _without_odd_reasoning(after: Segments, before: Segments) -> Segments:
    """Remove the reasoning of messages that lost calls: it belongs to all their calls together."""
    calls = {message.position: message.tool_calls for message in flat(before)}
    odd = {m.position for m in flat(after) if not m.label and m.tool_calls != calls[m.position]}

    def without(part: Segment) -> Segment:
        head, *results = part.messages
        return replace(part, messages=(without_reasoning(head), *results))

    return tuple(without(part) if part.position in odd else part for part in after)


def _without_calls(message: Message) -> Message:
    return replace(message, tool_calls=(), tokens=0)
