"""Replay a conversation: plan its requests again, one by one, under other settings.

No model is called; the answers stay as they were.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from history.core.money.cache import AnsweredRequest, Prediction, predict
from history.core.money.cost import Prices
from history.core.plan.plan import Plan
from history.core.projection.request import ProjectionRequest
from history.core.replay.outline import Outline
from history.core.summaries.checkpoints import Checkpoint, applicable
from history.core.transcript.messages import Message, Role, Transcript
from history.core.words.errors import CannotPlan
from history.core.words.facts import Fact


@dataclass(frozen=True, slots=True)
class PastStep:
    """A request of the past: its turn, its number in the turn, and all messages before the place
    `end`.

    `settled` is as in `ProjectionRequest`, `output` the tokens of the answer, by our counter.
    `cold`: the provider's cache had expired before the request.
    """

    turn: int
    number: int
    end: int
    settled: int | None = None
    output: int = 0
    cold: bool = False


@dataclass(frozen=True, slots=True)
class SummaryPeriod:
    """A summary, and the requests to which it applied: those with `since` <= end < `until`."""

    checkpoint: Checkpoint
    since: int
    until: int | None = None

    def holds(self, end: int) -> bool:
        return self.since <= end and (self.until is None or end < self.until)


@dataclass(frozen=True, slots=True)
class PathSummaries:
    """All summaries that a path has ever had. `applicable` decides which of them apply; it gets
    `chain`, the hash of the processors.
    """

    periods: tuple[SummaryPeriod, ...] = ()
    chain: str = ""

    def at(self, step: PastStep, excluded: frozenset[int]) -> tuple[Checkpoint, ...]:
        points = [period.checkpoint for period in self.periods if period.holds(step.end)]
        return applicable(points, excluded, self.chain, step.turn)


NO_SUMMARIES = PathSummaries()


@dataclass(frozen=True, slots=True)
class ReplayedStep:
    """A step that was planned again. If it does not fit, it has no plan; `refused` says why."""

    step: PastStep
    plan: Plan | None
    prediction: Prediction | None
    refused: Fact | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """All steps under the same settings. Tokens are in the model's own count; sums cover only the
    requests that would have been sent.
    """

    steps: tuple[ReplayedStep, ...]

    @property
    def refusals(self) -> tuple[ReplayedStep, ...]:
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
        """The cost of all requests; None if a request is refused or its cost unknown, because the
        cost of fewer requests cannot be compared.
        """
        if self.refusals:
            return None
        sums = [p.money for p in self.predictions if p.money is not None]
        return sum(sums, Decimal(0)) if len(sums) == len(self.predictions) else None


def past_steps(path: Transcript, first_turn: int = 1) -> Iterator[PastStep]:
    """Make the past steps from the transcript: each assistant message came from one request."""
    turn, number, began, cold = 0, 0, None, False
    for message in (item for item in path if isinstance(item, Message)):
        if message.turn != turn:
            turn, number, began, cold = message.turn, 0, None, message.cold
        if message.role is Role.ASSISTANT and turn >= max(1, first_turn):
            number += 1
            end, output = message.position, message.tokens
            yield PastStep(turn, number, end, began, output, cold and number == 1)
            began = end if began is None else began


def replay(
    path: Transcript,
    steps: Iterable[PastStep],
    request: ProjectionRequest,
    summaries: PathSummaries = NO_SUMMARIES,
) -> Iterator[tuple[PastStep, Plan | CannotPlan]]:
    """Plan each step as `project` would do with the messages before the step's end.

    `request` has what is the same for all steps; its checkpoints and its `settled` are ignored.
    Raise NeedsMore if the result depends on the path's unread runs.
    """
    outline = Outline(path, request)
    turn, settled = 0, None
    for step in steps:
        points = summaries.at(step, request.exclusions)
        goes_on = step.turn == turn and step.settled is not None
        settled = settled if goes_on and settled is not None else step.settled
        own_request = replace(request, checkpoints=points, settled=settled, rebound=True)
        try:
            plan = outline.project(step.end, own_request).plan
            turn, settled = step.turn, plan.settled
            yield step, plan
        except CannotPlan as refusal:
            yield step, refusal


def priced(
    plans: Iterable[tuple[PastStep, Plan | CannotPlan]],
    prices: Prices,
    *,
    breakpoints: bool = False,
    tools: bool = False,
) -> Replay:
    """Add the predicted savings of the provider's cache, and the cost. `breakpoints` are as in
    `predict`, and `tools` as in `AnsweredRequest`.
    """
    pairs = list(plans)
    requests = [
        AnsweredRequest(plan, round(step.output * plan.factor), step.cold, tools)
        for step, plan in pairs
        if isinstance(plan, Plan)
    ]
    predictions = iter(predict(requests, prices, breakpoints=breakpoints))
    return Replay(
        tuple(
            ReplayedStep(step, plan, next(predictions))
            if isinstance(plan, Plan)
            else ReplayedStep(step, None, None, plan.fact)
            for step, plan in pairs
        )
    )
