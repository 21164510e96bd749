"""Compute a strategy's cost on a workload, in tokens and money, and which questions it answers."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from bench.strategies import PRICES, Strategy
from bench.workloads import Question, Workload
from history.core.money.cache import AnsweredRequest, predict
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.settings.layers import Layer
from history.core.settings.resolution import resolve
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName, Value
from history.core.stages.processors import Chain, parse_levels
from history.core.summaries import checkpoints as core
from history.core.summaries.checkpoints import Checkpoint
from history.core.transcript.messages import Message, Role
from history.core.transcript.segments import segment
from history.tokens import count_message, count_text

PROMPT = "You keep the books of a harbour. Answer from what you are told. " * 20
WINDOW = 200_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one strategy on one workload. `answered`, `summarised` and `reached` count
    questions."""

    tokens: int
    read: int
    money: dict[str, Decimal | None]
    answered: int
    summarised: int
    reached: int


def run(strategy: Strategy, workload: Workload, found: Collection[Question]) -> Outcome:
    """Run a strategy on a workload; `found` are the questions whose facts `recall` finds."""
    settings = resolve([Layer(LayerName.TEMPLATE, "bench", _values(strategy))])
    levels = parse_levels({"agent": strategy.processors})
    requests = list(_requests(workload, settings, levels))
    planned = [
        AnsweredRequest(r.plan, workload.messages[r.end].tokens, tools=workload.uses_tools)
        for r in requests
    ]
    asked = [(question, r) for r in requests for question in _asked(workload, r)]
    money = {
        name: sum_of(p.money for p in predict(planned, prices, breakpoints=breakpoints))
        for name, (prices, breakpoints) in PRICES.items()
    }
    return Outcome(
        tokens=sum(r.plan.window.sent for r in requests),
        read=sum(p.cache_read for p in predict(planned, PRICES["B: read 0.1, write free"][0])),
        money=money,
        answered=sum(_is_sent(question, r.plan) for question, r in asked),
        summarised=sum(_in_summary(question, r) for question, r in asked),
        reached=sum(question in found or _is_sent(question, r.plan) for question, r in asked),
    )


@dataclass(frozen=True, slots=True)
class Request:
    """A request: its plan for the messages before position `end`, and its checkpoints."""

    end: int
    plan: Plan
    points: tuple[Checkpoint, ...]


def _requests(workload: Workload, settings: Settings, levels: Chain) -> Iterator[Request]:
    points: tuple[Checkpoint, ...] = ()
    settled = 0
    for end in workload.requests:
        before = workload.messages[:end]
        if before[-1].role is Role.USER:
            settled = end
            points = _with_due(points, before[:-1], settings)
        prompt = Injected(SYSTEM_PROMPT, Role.SYSTEM, PROMPT, count_message("system", PROMPT))
        request = ProjectionRequest(
            settings,
            (prompt,),
            levels=levels,
            checkpoints=points,
            settled=settled,
            count=count_text,
        )
        yield Request(end, project(before, request).plan, points)


def _with_due(
    points: tuple[Checkpoint, ...], said: Sequence[Message], settings: Settings
) -> tuple[Checkpoint, ...]:
    """Add the summaries that the running program would have made after the previous answer."""
    if not settings.value("summarize"):
        return points
    first = points[-1].last + 1 if points else 0
    due = core.due(segment(said[first:]), first, settings)
    if due is None:
        return points
    summary = extract(due.messages)
    point = Checkpoint(
        id=len(points) + 1,
        first=due.first,
        last=due.last,
        first_turn=due.messages[0].turn,
        last_turn=due.messages[-1].turn,
        summary=summary,
        tokens=0,
        source_tokens=sum(message.tokens for message in due.messages),
    )
    return (*points, replace(point, tokens=count_message("user", point.quoted)))


def extract(messages: Iterable[Message]) -> str:
    """Summarise without a model: join the first sentences of messages, but only every second one.
    Messages of a single sentence are left out.

    Like a real summary, this keeps some of the facts and loses the others.
    """
    sentences = [m.text.partition(". ")[0] for m in messages if ". " in m.text]
    return "\n".join(sentences[::2]) or "Nothing was said."


def _asked(workload: Workload, request: Request) -> list[Question]:
    """Return the questions asked in this turn; none unless this is the turn's first request."""
    newest = workload.messages[request.end - 1]
    if newest.role is not Role.USER:
        return []
    return [question for question in workload.questions if question.turn == newest.turn]


def _is_sent(question: Question, plan: Plan) -> bool:
    return plan.verdict_of(question.position) is Verdict.KEPT


def _in_summary(question: Question, request: Request) -> bool:
    covered = [p for p in request.points if p.first <= question.position <= p.last]
    return any(question.fact in point.summary for point in covered)


def sum_of(parts: Iterable[Decimal | None]) -> Decimal | None:
    known = list(parts)
    return None if None in known else sum((p for p in known if p is not None), Decimal(0))


def _values(strategy: Strategy) -> dict[str, Value]:
    return {"context_window": WINDOW, **strategy.values}
