"""A conversation asked again, request by request, under other settings. No model is called.

What the agent answered stays as it was; what it would have been sent is planned anew.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from history.core.errors import CannotPlan
from history.core.messages import Message, Role, Transcript
from history.core.money.cache import Planned, Prediction, predict
from history.core.money.cost import Prices
from history.core.plan.plan import Plan
from history.core.projection.project import ProjectionRequest
from history.core.replay.outline import Outline
from history.core.summaries.checkpoints import Checkpoint, applicable


@dataclass(frozen=True, slots=True)
class PastStep:
    """A request that was made: of a turn, its number in that turn, with all before the place `end`.

    `settled` is as in `ProjectionRequest`, `output` the tokens of what came back, by our counter.
    `cold`: the provider's cache was gone.
    """

    turn: int
    number: int
    end: int
    settled: int | None = None
    output: int = 0
    cold: bool = False


@dataclass(frozen=True, slots=True)
class SummaryPeriod:
    """A summary applied to the requests that ended from one place up to, not with, another."""

    checkpoint: Checkpoint
    since: int
    until: int | None = None

    def holds(self, end: int) -> bool:
        return self.since <= end and (self.until is None or end < self.until)


@dataclass(frozen=True, slots=True)
class Summaries:
    """All that ever were of a path; those apply that `applicable` says. `chain` is its argument."""

    spells: tuple[SummaryPeriod, ...] = ()
    chain: str = ""

    def at(self, step: PastStep, excluded: frozenset[int]) -> tuple[Checkpoint, ...]:
        points = [spell.checkpoint for spell in self.spells if spell.holds(step.end)]
        return applicable(points, excluded, self.chain, step.turn)


NO_SUMMARIES = Summaries()


@dataclass(frozen=True, slots=True)
class Replayed:
    """A step planned anew. Without a plan where it would not fit; `refused` says so."""

    step: PastStep
    plan: Plan | None
    prediction: Prediction | None
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Replay:
    """All steps under one set of settings. Tokens are in the model's own count; sums are of the
    requests that would have been sent.
    """

    steps: tuple[Replayed, ...]

    @property
    def refusals(self) -> tuple[Replayed, ...]:
        return tuple(step for step in self.steps if step.plan is None)

    @property
    def sent(self) -> int:
        return sum(step.plan.window.sent for step in self.steps if step.plan)

    @property
    def predictions(self) -> tuple[Prediction, ...]:
        return tuple(step.prediction for step in self.steps if step.prediction)

    @property
    def cache_read(self) -> int:
        return sum(prediction.cache_read for prediction in self.predictions)

    @property
    def money(self) -> Decimal | None:
        """None as soon as one request's is unknown, or one is refused: what fewer requests cost
        compares with nothing.
        """
        if self.refusals:
            return None
        known = [p.money for p in self.predictions if p.money is not None]
        return sum(known, Decimal(0)) if len(known) == len(self.predictions) else None


def past_steps(path: Transcript, first_turn: int = 1) -> tuple[PastStep, ...]:
    """As the transcript tells them: each of the assistant's messages was asked for once."""
    return tuple(_steps((item for item in path if isinstance(item, Message)), first_turn))


def _steps(messages: Iterable[Message], first_turn: int) -> Iterator[PastStep]:
    turn, number, began, cold = 0, 0, None, False
    for message in messages:
        if message.turn != turn:
            turn, number, began, cold = message.turn, 0, None, message.cold
        if message.role is Role.ASSISTANT and turn >= max(1, first_turn):
            number += 1
            end, output = message.position, message.tokens
            yield PastStep(turn, number, end, began, output, cold and number == 1)
            began = end if began is None else began


def replay(
    path: Transcript,
    steps: Sequence[PastStep],
    request: ProjectionRequest,
    summaries: Summaries = NO_SUMMARIES,
) -> Iterator[tuple[PastStep, Plan | CannotPlan]]:
    """The plan of each step, as `project` makes it of what stood before the step's end.

    `request` holds what is the same for all of them; its own checkpoints and `settled` count for
    nothing. Raises NeedsMore where the path's unread runs matter.
    """
    outline = Outline(path, request)
    for step in steps:
        points = summaries.at(step, request.exclusions)
        asked = replace(request, checkpoints=points, settled=step.settled)
        try:
            yield step, outline.project(step.end, asked).plan
        except CannotPlan as refusal:
            yield step, refusal


def priced(
    plans: Iterable[tuple[PastStep, Plan | CannotPlan]],
    prices: Prices,
    *,
    marks: bool = False,
    tools: bool = False,
) -> Replay:
    """With what a provider's cache would have read again, and the money. `marks` and `tools` are
    as in `predict` and `Planned`.
    """
    found = list(plans)
    asked = [
        Planned(plan, round(step.output * plan.factor), step.cold, tools)
        for step, plan in found
        if isinstance(plan, Plan)
    ]
    predictions = iter(predict(asked, prices, marks=marks))
    return Replay(
        tuple(
            Replayed(step, plan, next(predictions))
            if isinstance(plan, Plan)
            else Replayed(step, None, None, str(plan))
            for step, plan in found
        )
    )
