"""What a processor is, and what it may know besides the segments."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from history.core.clamp import FRAME, Count
from history.core.facts import Fact
from history.core.messages import Message, Role
from history.core.segments import Segment, Segments


@dataclass(frozen=True, slots=True)
class ProcessorContext:
    """What a processor may know besides the segments; `first_current` is where the turn starts."""

    count: Count
    first_current: int
    tokens_before: Mapping[int, int]
    token_stride: int = 1


class Processor(Protocol):
    """`scope`: "each" judges a segment alone, "newest" keeps a tail, "all" needs everything."""

    @property
    def scope(self) -> str: ...

    @property
    def reason(self) -> Fact:
        """Say, for the plan, why something was left out."""

    def apply(self, segments: Segments, flow: ProcessorContext, /) -> Segments: ...


def note(text: str, after: Segment, flow: ProcessorContext) -> Segment:
    """Make an assistant message that no transcript contains, right behind a segment."""
    last = after.messages[-1]
    place = max(last.position, *(r.message.position for r in after.repairs), -1) + 1
    tokens = FRAME + flow.count(text)
    message = Message(place, Role.ASSISTANT, text, turn=last.turn, tokens=tokens, label=text)
    return Segment((message,))
