"""Remove tool calls and their results from what is sent. The agent keeps its tools."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from history.core.errors import SettingError
from history.core.facts import Fact, Rule, fact
from history.core.segments import Segment, Segments
from history.core.settings.options import Names, option
from history.core.settings.spec import Boolean
from history.core.stages.processor import ProcessorContext, note


@dataclass(frozen=True, slots=True)
class ToolCallFilter:
    """Removes calls with their results: all, those in `exclude`, or those not in `include`.

    Names decide, not what the agent may use now. With `persist_results` a removed run leaves one
    assistant message that says which tools were used.
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
        kept: list[Segment] = []
        run: list[str] = []  # The tools of the calls removed since the last segment kept.
        for place, part in enumerate(segments):
            rest, gone = self._split(part)
            if rest.messages:
                kept += self._note(run, segments[place - 1], flow)
                kept.append(rest)
                run = []
            run += gone
        return (*kept, *self._note(run, segments[-1], flow)) if run else tuple(kept)

    def _split(self, part: Segment) -> tuple[Segment, list[str]]:
        """Split a segment into what is left and the tools of the calls removed."""
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
        short = replace(head, tool_calls=calls, tokens=tokens)
        return replace(part, messages=(short, *results)), names

    def _note(self, run: list[str], last: Segment, flow: ProcessorContext) -> Iterator[Segment]:
        """Add the note behind the run's last segment, so that no pair is parted."""
        if run and self.persist_results:
            names = list(dict.fromkeys(run))
            several = f"Used tools: {', '.join(names)}"
            yield note(f"Used {names[0]} tool" if len(names) == 1 else several, last, flow)
