"""The interface of processors, the context that each gets, and two built-in processors."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

from history.core.draft.turn_sizes import onward
from history.core.settings.options import Names, option
from history.core.settings.spec import Boolean, Integer
from history.core.transcript.clamp import FRAME, Count
from history.core.transcript.messages import Message, Role
from history.core.transcript.reasoning import without_reasoning
from history.core.transcript.segments import Segment, Segments
from history.core.words.errors import SettingError
from history.core.words.facts import Fact, Rule, fact


@dataclass(frozen=True, slots=True)
class ProcessorContext:
    """A processor's input besides the segments. `first_current`: where the current turn starts."""

    count: Count
    first_current: int
    tokens_before: Mapping[int, int]
    token_stride: int = 1


class Processor(Protocol):
    """A processor. `scope` says what it judges: "each" segment by itself, the "newest" ones, or
    "all" of them.
    """

    @property
    def scope(self) -> str: ...

    @property
    def reason(self) -> Fact:
        """Say, for the plan, why something was left out."""

    def apply(self, segments: Segments, flow: ProcessorContext, /) -> Segments: ...


@dataclass(frozen=True, slots=True)
class ToolCallFilter:
    """Removes calls with their results: all of them, those in `exclude`, or those not in `include`.

    Calls are matched by name, even if the agent no longer has the tool. With `persist_results`, one
    assistant message in place of a removed run says which tools were used.
    """

    exclude: tuple[str, ...] = option(Names(), default=())
    include: tuple[str, ...] = option(Names(), default=())
    persist_results: bool = option(Boolean(), default=False)
    scope: ClassVar[str] = "each"

    def __post_init__(self) -> None:
        if self.exclude and self.include:
            raise SettingError(fact(Rule.BOTH_FILTERS, name="tool_call_filter"))

    @property
    def reason(self) -> Fact:
        names = {"exclude": list(self.exclude), "include": list(self.include)}
        return fact(Rule.TOOL_CALL_FILTER, **{key: names[key] for key in names if names[key]})

    def takes(self, name: str) -> bool:
        if self.include:
            return name not in self.include
        return not self.exclude or name in self.exclude

    def apply(self, segments: Segments, flow: ProcessorContext, /) -> Segments:
        after: list[Segment] = []
        run: list[str] = []  # The tools whose calls were removed since the last kept segment.
        for place, part in enumerate(segments):
            rest, gone = self._split(part)
            if rest.messages:
                after += self._note(run, segments[place - 1], flow)
                after.append(rest)
                run = []
            run += gone
        return (*after, *self._note(run, segments[-1], flow)) if run else tuple(after)

    def _split(self, part: Segment) -> tuple[Segment, list[str]]:
        """Split a segment into what is kept of it, and the tools of the removed calls."""
        head = part.messages[0]
        gone = {call.id: call for call in head.tool_calls if self.takes(call.name)}
        if not gone:
            return part, []
        names = [call.name for call in gone.values()]
        calls = tuple(call for call in head.tool_calls if call.id not in gone)
        if not calls and not head.has_text:
            return replace(part, messages=()), names
        tokens = max(0, head.tokens - sum(call.tokens for call in gone.values()))
        results = [m for m in part.messages[1:] if m.tool_call_id not in gone]
        short = without_reasoning(replace(head, tool_calls=calls, tokens=tokens))
        return replace(part, messages=(short, *results)), names

    def _note(self, run: list[str], last: Segment, flow: ProcessorContext) -> Iterator[Segment]:
        """Add a note after the last segment of a run of removed calls, so that it separates no
        pair.
        """
        if run and self.persist_results:
            names = list(dict.fromkeys(run))
            several = f"Used tools: {', '.join(names)}"
            yield _note_after(last, f"Used {names[0]} tool" if len(names) == 1 else several, flow)


@dataclass(frozen=True, slots=True)
class TokenLimiter:
    """Keeps the newest whole segments that fit; it stops at the first that does not."""

    limit: int = option(Integer(1), example=16_000)
    scope: ClassVar[str] = "newest"

    @property
    def reason(self) -> Fact:
        return fact(Rule.TOKEN_LIMITER, limit=self.limit)

    def apply(self, segments: Segments, flow: ProcessorContext, /) -> Segments:
        tokens, start = onward(segments), len(segments)
        for place in range(len(segments) - 1, -1, -1):
            part = segments[place]  # A note may be at the place where the current turn begins.
            is_past = part.is_note or part.position < flow.first_current
            if tokens[place] > self.limit and is_past:
                break
            start = place
        return segments[self._on_grid(segments, start, flow) :]

    def _on_grid(self, segments: Segments, start: int, flow: ProcessorContext) -> int:
        """Move the start to the next point on the grid of tokens, if there is a stride."""
        if start == 0 or flow.token_stride == 1:
            return start
        before = flow.tokens_before[segments[start - 1].position]
        point = (before // flow.token_stride + 1) * flow.token_stride
        for place in range(start, len(segments)):
            starts_turn = segments[place].turn > segments[place - 1].turn
            passed = flow.tokens_before[segments[place].position] >= point
            if segments[place].position >= flow.first_current or (starts_turn and passed):
                return place
        return len(segments)


def _note_after(part: Segment, text: str, flow: ProcessorContext) -> Segment:
    """Make an assistant message, which no transcript contains, directly after a segment."""
    last = part.messages[-1]
    place = max(last.position, *(r.message.position for r in part.repairs), -1) + 1
    tokens = FRAME + flow.count(text)
    message = Message(place, Role.ASSISTANT, text, turn=last.turn, tokens=tokens, label=text)
    return Segment((message,))
