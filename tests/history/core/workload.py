"""A long chat with tools, and what a cache saves of its requests under given settings.

It has 100 turns: a system prompt of 1,500 tokens, questions of 60, answers of 240, and in every
second turn a call of 30 with a result of 600. One request is planned for each answer.
"""

from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Any

from history.core.money.cache import AnsweredRequest, Prediction, predict
from history.core.money.cost import Prices
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.plan import Plan
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.transcript.messages import Message, Role, ToolCall
from tests.history.core.making import ROOMY, settings_of

TURNS = 100
PROMPT = Injected(SYSTEM_PROMPT, Role.SYSTEM, "You are kind", 1_500)

# Relative prices: a fresh input token costs 1.
CLAUDE = Prices(Decimal(1), Decimal(0), Decimal("0.1"), Decimal("1.25"), 1_024)
GPT = Prices(Decimal(1), Decimal(0), Decimal("0.1"), None, 1_024)


def chat(count: int = TURNS) -> tuple[Message, ...]:
    messages: list[Message] = []
    for turn in range(1, count + 1):
        for role, tokens, more in _turn(turn):
            messages.append(Message(len(messages), role, "x", turn=turn, tokens=tokens, **more))
    return tuple(messages)


def _turn(turn: int) -> Iterator[tuple[Role, int, dict[str, Any]]]:
    yield Role.USER, 60, {}
    if turn % 2 == 0:
        call = ToolCall(f"c{turn}", "search", "{}", 20)
        yield Role.ASSISTANT, 30, {"tool_calls": (call,)}
        yield Role.TOOL, 600, {"tool_call_id": call.id}
    yield Role.ASSISTANT, 240, {}


@cache
def plans(**values: Any) -> tuple[Plan, ...]:
    """Return the plan of the request for each turn's answer."""
    path, settings = chat(), settings_of(**{**ROOMY, **values})
    request = ProjectionRequest(settings, (PROMPT,), count=lambda _: 3)
    answers = (m.position for m in path if m.role is Role.ASSISTANT and not m.tool_calls)
    return tuple(project(path[:position], request).plan for position in answers)


def requests(cold_every: int = 0, **values: Any) -> list[AnsweredRequest]:
    """Return the requests; before every `cold_every`th one, the cache has expired."""
    return [
        AnsweredRequest(plan, cold=bool(cold_every) and number % cold_every == 0)
        for number, plan in enumerate(plans(**values))
    ]


def effective(predictions: tuple[Prediction, ...]) -> Decimal:
    return sum((p.money or Decimal(0) for p in predictions), Decimal(0))


def beside_all(prices: Prices, cold_every: int = 0, **values: Any) -> float:
    """Return the effective input as a fraction of the effective input of sending everything."""
    own = effective(predict(requests(cold_every, **values), prices))
    return float(own / effective(predict(requests(cold_every), prices)))
