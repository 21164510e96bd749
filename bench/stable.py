"""What a stable prefix costs and saves: in a long answer, and in a chat whose prompt is edited."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from bench.outcomes import PROMPT, sum_of
from bench.strategies import PRICES, Strategy
from bench.workloads import Shape, Workload, shaped
from history.core.draft.rulings import last_turn_of
from history.core.money.cache import AnsweredRequest, predict
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.projection.project import Projection, project
from history.core.projection.prompts import begin_alike, keeping, prompts_of
from history.core.projection.request import ProjectionRequest
from history.core.settings.layers import Layer
from history.core.settings.reduction import FREE, STABLE
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.core.transcript.messages import Role, Transcript
from history.tokens import count_message, count_text

STEPS, TURNS, EDITS = 40, 200, 10
LAST = Strategy("lastN 20", {"policy": "lastN", "length": 20})
IN_STEPS = Strategy("lastN 20, stride 10", {"policy": "lastN", "length": 20, "length_stride": 10})
ALL = Strategy("all", {"policy": "all"})
ANSWERS = (
    ALL,
    Strategy("keep 5 results", {"policy": "all", "tool_results_keep": 5}),
    Strategy(
        "keep 5 results, stride 10",
        {"policy": "all", "tool_results_keep": 5, "results_stride": 10},
    ),
)
ITEMS = Strategy("max_items 40", {"policy": "all", "max_items": 40})
BUDGET = Strategy("12,000 tokens, fifo", {"policy": "all", "token_budget": 12_000})
CHATS = (ALL, LAST, IN_STEPS, ITEMS, BUDGET)
HEADING = """\
## A stable prefix

While the setting `prefix` is `stable`, no request shortens what an earlier one of the same answer
sent. A window for which nobody has set a step moves by half of itself, but by at most 10 turns or
messages, and cuts for a budget leave out a quarter of it. An edited system prompt is sent behind
what the model has read, if the model takes system messages there. "Not from cache" are the tokens
sent that the provider had not just read.

Models that bind their reasoning to what precedes it also lose it with each change, which the tables
do not count.
"""
ANSWER = f"""\
One answer of {STEPS} steps, each with a call whose result has 300 words:
"""
CHAT = f"""\
A chat of {TURNS} turns of 60 and 180 words. An administrator edits the system prompt of {{}} tokens
{EDITS} times:
"""
NOTHING_AGAIN = """\
If `all` is sent with a stable prefix, what is not read from cache after an edit is new: the prompt,
the answer before it and the question. Nothing is read again.
"""


@dataclass(frozen=True, slots=True)
class Spent:
    """A conversation's cost. `anew` counts the tokens that no cache supplied; `edits` counts such
    tokens only in requests right after an edit of the prompt.
    """

    tokens: int
    anew: int
    edits: int
    money: dict[str, Decimal]


def section() -> Iterator[str]:
    answer, chat = shaped(Shape(1, 40, 120, STEPS - 1)), shaped(Shape(TURNS, 60, 180))
    yield from (HEADING, ANSWER, _table(ANSWERS, answer, 0))
    yield from (CHAT.format(_prompt(0).tokens), _table(CHATS, chat, EDITS), NOTHING_AGAIN)


def spent(strategy: Strategy, prefix: str, workload: Workload, edits: int) -> Spent:
    """Plan each request as the app does, and add up what the requests cost."""
    talk = Talk(workload, _request(strategy, prefix), edits)
    plans = list(talk.plans())
    read = [p.cache_read for p in predict(plans, PRICES["B: read 0.1, write free"][0])]
    anew = [each.plan.window.sent - hit for each, hit in zip(plans, read, strict=True)]
    return Spent(
        sum(each.plan.window.sent for each in plans),
        sum(anew),
        sum(anew[n] for n in talk.edited),
        {name: _money(plans, name) for name in PRICES},
    )


@dataclass
class Talk:
    """The requests of a workload, during which the prompt is edited `edits` times at equal
    distances; `edited` are the numbers of the requests right after an edit.
    """

    workload: Workload
    request: ProjectionRequest
    edits: int
    edited: list[int] = field(default_factory=list)
    last: Projection | None = None

    def plans(self) -> Iterator[AnsweredRequest]:
        before: Projection | None = None
        for number, end in enumerate(self.workload.requests):
            asked = self.workload.messages[end - 1]
            if begins := asked.role is Role.USER:
                before = self.last
                if asked.turn > 1 and self._edition(asked.turn) != self._edition(asked.turn - 1):
                    self.edited.append(number)
            settled = None if begins or self.last is None else self.last.plan.settled
            prompt = _prompt(self._edition(asked.turn))
            request = replace(self.request, settled=settled, injected=(prompt,))
            self.last = _projected(self.workload.messages[:end], request, before)
            yield AnsweredRequest(
                self.last.plan,
                self.workload.messages[end].tokens,
                tools=self.workload.uses_tools,
            )

    def _edition(self, turn: int) -> int:
        return (turn - 1) * (self.edits + 1) // self.workload.messages[-1].turn


def _projected(
    messages: Transcript, request: ProjectionRequest, before: Projection | None
) -> Projection:
    if before and request.settings.value("prefix") == STABLE:
        kept = keeping(request, prompts_of(before.injected), last_turn_of(messages[-1]))
        if kept and begin_alike(before.plan, (found := project(messages, kept)).plan):
            return found
    return project(messages, request)


def _request(strategy: Strategy, prefix: str) -> ProjectionRequest:
    values = {"context_window": 200_000, "output_reserve": 4_096, "prefix": prefix}
    settings = resolve([Layer(LayerName.TEMPLATE, "bench", {**values, **strategy.values})])
    return ProjectionRequest(settings, count=count_text, takes_new_prompts=True)


def _prompt(edition: int) -> Injected:
    text = f"{PROMPT}Edition {edition}."
    return Injected(SYSTEM_PROMPT, Role.SYSTEM, text, count_message(Role.SYSTEM, text))


def _money(plans: Sequence[AnsweredRequest], name: str) -> Decimal:
    prices, breakpoints = PRICES[name]
    return sum_of(p.money for p in predict(plans, prices, breakpoints=breakpoints)) or Decimal(0)


def _table(strategies: Sequence[Strategy], workload: Workload, edits: int) -> str:
    behind_edits = ["of these after an edit"] if edits else []
    head = ["strategy", "prefix", "tokens sent", "not from cache", *behind_edits, *PRICES]
    rows = [head, ["---", "---", *["--:"] * (len(head) - 2)]]
    for strategy in strategies:
        for prefix in (FREE, STABLE):
            found = spent(strategy, prefix, workload, edits)
            counts = [found.tokens, found.anew, *([found.edits] if edits else [])]
            money = [f"${sum_:.2f}" for sum_ in found.money.values()]
            rows.append([strategy.name, prefix, *(f"{n:,}" for n in counts), *money])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"
