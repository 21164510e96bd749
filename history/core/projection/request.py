"""What a projection is computed from, besides the transcript."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from history.core.plan.injected import Injected
from history.core.plan.plan import Plan
from history.core.settings.resolved import Settings
from history.core.stages.parts import Price, as_counted
from history.core.stages.processors import Chain
from history.core.summaries.checkpoints import Checkpoint
from history.core.transcript.clamp import Count, approximate
from history.core.transcript.messages import Role
from history.core.transcript.reasoning_accepted import ReasoningAccepted
from history.core.words.facts import Note

PlanBehind: TypeAlias = Callable[[int], Plan | None]


def _unknown(position: int) -> None:
    """Return no plan: the default of `behind`, where no plans are stored."""


@dataclass(frozen=True, slots=True)
class ProjectionRequest:
    """The settings and facts from which a transcript is projected. `counter` names the token
    counter.

    `settled`: the place where the running generation's own messages begin, or a later one if a step
    of it had to decide anew; cuts ignore what follows. `factor` is the ratio of the model's token
    count to ours. `percent` of the budget is used: less than 100 after a provider refused a request
    as too long. `count` is for texts that a projection makes itself. `notes` are the notes that the
    plan begins with. `waits`: the summary that is due is not made yet, because another one failed
    or was undone shortly before.

    `image_price` counts an image for the model, in our tokens, by the rule named `image_rule`;
    `takes_images`: the model accepts images.

    `taking` says which earlier reasoning the model accepts. `behind` returns the plan of the
    request that the message at a position answered; it is asked only to explain why reasoning that
    is bound to that request is left out. `takes_new_prompts`: the model takes system messages among
    the others. `rebound`: bound reasoning is sent whatever precedes it, because in a replay under
    other settings the model would have written it after this request.
    """

    settings: Settings
    injected: tuple[Injected, ...] = ()
    tool_schema_tokens: int = 0
    tool_schema_digest: str = ""
    counter: str = "o200k_base"
    levels: Chain = ()
    pins: frozenset[int] = frozenset()
    exclusions: frozenset[int] = frozenset()
    checkpoints: tuple[Checkpoint, ...] = ()
    settled: int | None = None
    factor: float = 1.0
    percent: int = 100
    count: Count = field(default=approximate, compare=False)
    notes: tuple[Note, ...] = ()
    waits: bool = False
    image_price: Price = field(default=as_counted, compare=False)
    image_rule: str = ""
    takes_images: bool = True
    taking: ReasoningAccepted = field(default_factory=ReasoningAccepted)
    behind: PlanBehind = field(default=_unknown, compare=False)
    takes_new_prompts: bool = False
    rebound: bool = False

    @property
    def ends_with_user(self) -> bool:
        """Whether an injected user text ends the request, which then continues no tool loop."""
        return any(text.place == "end" and text.role is Role.USER for text in self.injected)

    @property
    def summaries(self) -> tuple[Checkpoint, ...]:
        """The summaries to send; there are none under the policy `none`."""
        return self.checkpoints if self.settings.value("policy") != "none" else ()
