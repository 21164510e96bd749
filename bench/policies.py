"""Write docs/policies.md: what each way to keep a history short sends, costs and forgets.

No model is called: plans are made for generated conversations, and the cache's hits are predicted.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from bench import pictured
from bench.recalled import Recalled, recalled
from bench.strategies import PRICES, STRATEGIES, Strategy
from bench.workloads import Question, Workload, workloads
from chatapp import env
from history.core.messages import Message, Role
from history.core.money.cache import AnsweredRequest, predict
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.segments import segment
from history.core.settings.layers import Layer
from history.core.settings.resolution import resolve
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName, Value
from history.core.stages.processors import Chain, parse_levels
from history.core.summaries import checkpoints as core
from history.core.summaries.checkpoints import Checkpoint
from history.tokens import count_message, count_text

PAGE = env.ROOT / "docs" / "policies.md"
PROMPT = "You keep the books of a harbour. Answer from what you are told. " * 20
WINDOW = 200_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """One strategy on one workload. `answered`, `summarised` and `reached` count questions."""

    tokens: int
    read: int
    money: dict[str, Decimal | None]
    answered: int
    summarised: int
    reached: int


def main() -> None:
    parts = [INTRODUCTION]
    for workload in workloads():
        found = recalled(workload)
        outcomes = {each.name: run(each, workload, found.questions) for each in STRATEGIES}
        parts += [_heading(workload, found), _table(workload, outcomes)]
    parts += [*pictured.section(run)]
    PAGE.write_text("\n".join([*parts, LIMITS]), encoding="utf-8")
    print(f"Wrote {PAGE.relative_to(env.ROOT)}.")


def run(strategy: Strategy, workload: Workload, found: Collection[Question]) -> Outcome:
    """Run a strategy; `found` are the questions that recall answers."""
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
    """The plan made from the messages before `end`, with the summaries it includes."""

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
    """Summarise without a model: the first sentence of every second message that has one.

    So a summary keeps some of the facts and loses others, as summaries do.
    """
    sentences = [m.text.partition(". ")[0] for m in messages if ". " in m.text]
    return "\n".join(sentences[::2]) or "Nothing was said."


def _asked(workload: Workload, request: Request) -> list[Question]:
    """Return the questions, for the first request of a turn."""
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


def _heading(workload: Workload, found: Recalled) -> str:
    tokens = sum(message.tokens for message in workload.messages)
    return (
        f"## {workload.name.capitalize()}\n\n{workload.about.capitalize()}: "
        f"{len(workload.messages):,} messages, {tokens:,} tokens, "
        f"{len(workload.questions)} questions about earlier facts. Recall alone finds "
        f"{len(found.questions)} of them; its result has {found.tokens} tokens on average.\n"
    )


def _table(workload: Workload, outcomes: dict[str, Outcome]) -> str:
    head = [
        "strategy",
        "tokens sent",
        "of these read from cache",
        *PRICES,
        "fact sent",
        "in summary",
        "sent or recalled",
    ]
    rows = [head, ["---", *["--:"] * (len(head) - 1)]]
    asked = len(workload.questions)
    for name, outcome in outcomes.items():
        share = f"{100 * outcome.read / outcome.tokens:.0f}%"
        money = ["\N{EM DASH}" if m is None else f"${m:.2f}" for m in outcome.money.values()]
        counts = (outcome.answered, outcome.summarised, outcome.reached)
        shares = [_percent(count, asked) for count in counts]
        rows.append([name, f"{outcome.tokens:,}", share, *money, *shares])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "\N{EM DASH}"


INTRODUCTION = """\
# What each history setting costs, and what it forgets

Written by `make policies`; do not edit. No model was called for this.

Three generated conversations are planned, request by request, under every strategy. The plans show
which messages each request sends, so tokens are exact (o200k), and which prefix it shares with the
previous request, so prompt cache hits can be predicted. Facts are planted ("berth 041 is 5517") and
asked for 2, 8, 25 and 60 turns later.

- **Read from cache**: the share of the tokens sent that the provider had just seen.
- **A, B, C**: dollars for the whole conversation, including answers, under three price models: A
  charges 1.25 for cache writes and 0.1 for reads ($3 and $15 per million), B charges nothing for
  writes and 0.1 for reads ($1.25 and $10), C charges 0.5 for reads ($2.50 and $10).
- **Fact sent**: questions whose fact was in the request, word for word.
- **In summary**: questions whose fact was in a summary that was sent. Extracts that keep every
  second first sentence replace a model's summaries.
- **Sent or recalled**: questions whose fact was in the request, or is found by the tool `recall` in
  one search for the words of the question ("berth 041") among the earlier messages, whether sent or
  not. This assumes that the model calls the tool. No column includes its cost: one more request,
  with the call and its result at the end.
"""

LIMITS = """\
## How to read this

- A window that moves at every turn (`lastN 20`) sends less than `all` and can still cost more: its
  prefix changes each time, so no turn reads the turn before it from the cache. The cache reads in
  the tables are from before the window began to move, or from later requests of a turn with tools.
  The same window moved in steps (`stride 10`) mostly costs less, and forgets less.
- The same is true of placeholders and token budgets: move them in steps.
- Hits are ideal. Providers forget early under load, count a little differently, and do not cache
  anything shorter than about a thousand tokens. Every gap here is short; after a long pause the
  cache is empty and the plain window is cheaper.
- With recall a short window forgets nothing that can be named, at the price of one more request
  when needed. It does not help with what nobody thinks to ask for, or asks for in other words.
- Sending every picture again is dear without a cache and cheap with one. Omitting them one by one
  breaks the prefix in every turn, and can cost more than sending them all: omit them in steps.
- "Sent" is not "used": models overlook what is in the middle of a long request, and a good summary
  keeps more than the extract used here. No table can say what a fact is worth.
"""

if __name__ == "__main__":
    main()
