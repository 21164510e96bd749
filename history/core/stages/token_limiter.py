"""Cap the tokens that the chain lets through, by whole segments."""

from dataclasses import dataclass
from typing import ClassVar

from history.core.draft.turn_sizes import onward
from history.core.facts import Fact, Rule, fact
from history.core.segments import Segments
from history.core.settings.options import option
from history.core.settings.spec import Integer
from history.core.stages.processor import ProcessorContext


@dataclass(frozen=True, slots=True)
class TokenLimiter:
    """Keeps the newest whole segments that fit; stops at the first that does not."""

    limit: int = option(Integer(1), example=16_000)
    scope: ClassVar[str] = "newest"

    @property
    def reason(self) -> Fact:
        return fact(Rule.TOKEN_LIMITER, limit=self.limit)

    def apply(self, segments: Segments, flow: ProcessorContext, /) -> Segments:
        tokens, start = onward(segments), len(segments)
        for place in range(len(segments) - 1, -1, -1):
            if tokens[place] > self.limit and segments[place].position < flow.first_current:
                break
            start = place
        return segments[self._on_grid(segments, start, flow) :]

    def _on_grid(self, segments: Segments, start: int, flow: ProcessorContext) -> int:
        """Move to the next point of a grid of tokens, if there is a stride."""
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
