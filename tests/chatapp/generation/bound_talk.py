"""A random conversation with a model that binds its reasoning, without a database.

Before each turn, settings, processors, prompt, tools, pins, exclusions and summaries may change;
pins and exclusions also change while tools run. Each request is planned, sent and answered as in
the app.
"""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

from chatapp.generation.reading.response import Response
from chatapp.llm import client
from chatapp.llm.catalogue import takes_new_prompts, taking_of
from chatapp.llm.reasoning.families import family_of
from chatapp.llm.request import LlmRequest
from history.core.plan.bonds import bond_of
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.neutral_request import in_order, openai_messages
from history.core.plan.plan import Plan, digest
from history.core.projection.invariants import check
from history.core.projection.project import Projection, project
from history.core.projection.prompts import keeping, may_keep, prompts_of
from history.core.projection.request import ProjectionRequest
from history.core.settings.reduction import STABLE
from history.core.settings.resolution import resolve
from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import Checkpoint
from history.core.transcript.messages import Message, Role
from history.core.transcript.parts import File, Image, Part
from history.core.words.errors import CannotPlan
from tests.chatapp.llm.answering import PATIENT
from tests.history.core.making import template
from tests.provider import Call
from tests.strict.server import Said

WORDS = ("harbour", "öre", "boat", "\n", "wind", "🙂", "日本")
TOOLS = ("clock", "calculator", "weather")
SETTINGS: dict[str, list[Any]] = {
    "policy": ["all", "all", "lastN", "none"],
    "length": [1, 2, 5],
    "length_stride": [None, None, 1, 3],
    "max_items": [None, None, 4, 9],
    "token_budget": [None, None, 700, 1_500],
    "pruner": ["fifo", "sliding_window", "summarize"],
    "token_stride": [None, None, 1, 300],
    "min_history_turns": [0, 1, 3],
    "sliding_window_turns": [1, 3],
    "max_message_tokens": [None, 64, 200],
    "tool_results_keep": [0, 0, 1, 3],
    "results_stride": [None, 1, 2],
    "images_keep": [0, 0, 1, 2],
    "images_stride": [None, 1, 2],
    "files_keep": [0, 0, 1],
    "files_stride": [None, 1, 2],
    "reasoning_keep": [0, 2, 20],
    "prefix": ["free", "stable"],
    "context_window": [2_000, 4_000, 100_000],
}
CHAINS: list[Any] = [
    *([], [], [], [{"use": "tool_call_filter"}], [{"use": "token_limiter", "limit": 400}]),
    [{"use": "tool_call_filter", "exclude": ["clock"], "persist_results": True}],
]

PICTURES = {f"{n:064x}": f"data:image/png;base64,{b64encode(bytes([n])).decode()}" for n in (1, 2)}


class Step(NamedTuple):
    """A request that was sent, with everything from which it was planned."""

    path: tuple[Message, ...]
    request: ProjectionRequest
    projection: Projection
    tools: tuple[str, ...]

    @property
    def turn(self) -> int:
        return self.path[-1].turn

    @property
    def sent(self) -> list[dict[str, object]]:
        return openai_messages(self.projection.messages, self.projection.injected)


@dataclass
class BoundTalk:
    """A random conversation. `plans` has the plan of each request so far, by its answer's
    position.
    """

    dice: Random
    provider: Any
    path: tuple[Message, ...] = ()
    prompt: str = "Be brief."
    tools: tuple[str, ...] = TOOLS
    chosen: dict[str, Any] = field(default_factory=dict)
    chain: list[Any] = field(default_factory=list)
    pins: frozenset[int] = frozenset()
    exclusions: frozenset[int] = frozenset()
    points: tuple[Checkpoint, ...] = ()
    plans: dict[int, Plan] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    async def turn(self) -> None:
        self._change()
        self._append(Role.USER, self._words(40), parts=self._attached())
        settled = None
        for said in self._answers():
            request, projection = self._projected(self._request(settled))
            check(self.path, projection)
            self.steps.append(Step(self.path, request, projection, self.tools))
            settled = projection.plan.settled
            await self._answer(said, projection)
            self._mark(0.1)

    def _projected(self, request: ProjectionRequest) -> tuple[ProjectionRequest, Projection]:
        """If the prefix is stable, keep the prompts of the request before, as the app does."""
        before = self.steps[-1].projection if self.steps else None
        is_stable = before and request.settings.value("prefix") == STABLE
        prompts = prompts_of(before.injected) if before and is_stable else ()
        kept = keeping(request, prompts, self.path[-1].turn) if is_stable else None
        if not (before and kept):
            return request, project(self.path, request)
        with suppress(CannotPlan):
            projection = project(self.path, kept)
            if may_keep(before.plan, projection.plan, request.settled):
                return kept, projection
        request = replace(request, settled=None)
        return request, project(self.path, request)

    def _change(self) -> None:
        dice = self.dice
        if not self.chosen or dice.random() < 0.4:
            self.chosen = {name: dice.choice(values) for name, values in SETTINGS.items()}
            self.chain = dice.choice(CHAINS)
        if dice.random() < 0.2:
            self.prompt = self._words(9)
        if dice.random() < 0.2:
            self.tools = TOOLS[: dice.randint(0, len(TOOLS))]
        self._mark(0.3)
        if dice.random() < 0.2:
            self._summarise()

    def _mark(self, chance: float) -> None:
        if self.path and self.dice.random() < chance:
            places = [self.dice.randrange(len(self.path)) for _ in range(2)]
            self.pins = frozenset(places[:1])
            self.exclusions = frozenset(places[1:]) - self.pins

    def _summarise(self) -> None:
        """Summarise all turns but the last. Only one summary is made in a conversation."""
        if self.path and self.path[-1].turn > 2 and not self.points:
            old = [message for message in self.path if message.turn < self.path[-1].turn]
            last, tokens = old[-1], sum(message.tokens for message in old)
            text = self._words(20)
            self.points = (Checkpoint(1, 0, last.position, 0, last.turn, text, 30, tokens),)

    def _answers(self) -> Iterator[Said]:
        count = self.dice.choice([0, 0, 1, 2, 4]) if self.tools else 0
        for step in range(count + 1):
            calls = [
                Call(self.dice.choice(self.tools), "{}", f"c{len(self.path)}_{n}")
                for n in range(self.dice.randint(1, 2) if step < count else 0)
            ]
            thinks, again = self.dice.random() < 0.9, self.dice.random() < 0.3
            text = self._words(20) if not calls or self.dice.random() < 0.6 else ""
            yield Said(
                [self._words(9)] if thinks else (),
                [text] if text else (),
                calls,
                self._words(3) if self.dice.random() < 0.2 else "",
                [self._words(5)] if again and thinks and text else (),
            )

    def _request(self, settled: int | None) -> ProjectionRequest:
        prompt = Injected(SYSTEM_PROMPT, Role.SYSTEM, self.prompt, 20)
        return ProjectionRequest(
            resolve([template(**self.chosen, output_reserve=100)]),
            (prompt,),
            tool_schema_tokens=30,
            tool_schema_digest=digest(repr(self.tools)) if self.tools else "",
            levels=parse_levels({"agent": self.chain}),
            pins=self.pins,
            exclusions=self.exclusions,
            checkpoints=self.points,
            settled=settled,
            taking=taking_of(self.provider.family.model, "low"),
            behind=self.plans.get,
            takes_new_prompts=takes_new_prompts(self.provider.family.model),
        )

    def sendable(self, projection: Projection, tools: tuple[str, ...]) -> LlmRequest:
        return LlmRequest(
            self.provider.family.model,
            openai_messages(projection.messages, projection.injected),
            tools=[_schema(name) for name in tools],
            reasoning_effort="low",
            media=PICTURES,
        )

    async def _answer(self, said: Said, projection: Projection) -> None:
        taking = projection.plan.reasoning.taking
        items = in_order(projection.messages, projection.injected)
        tools = self.steps[-1].request.tool_schema_digest
        family = family_of(self.provider.family.model)
        response = Response(10**9, family, bond_of(items, tools, taking))
        self.provider.script(said)
        async for chunk in client.stream(self.sendable(projection, self.tools), PATIENT):
            response.take(chunk, 0)
        self.plans[len(self.path)] = projection.plan
        calls = response.assembler.calls()
        parts = tuple(replace(part, tokens=len(part.text)) for part in response.reasoning)
        self._append(Role.ASSISTANT, response.text, calls, parts)
        for call in calls:
            shown = self._attached() if self.dice.random() < 0.3 else ()
            self._append(Role.TOOL, self._words(90), (), shown, call.id, call.name)

    def _append(
        self,
        role: Role,
        text: str,
        calls: tuple[Any, ...] = (),
        parts: tuple[Part, ...] = (),
        id_: str | None = None,
        name: str | None = None,
    ) -> None:
        turn = (self.path[-1].turn if self.path else 0) + (role is Role.USER)
        beside = sum(part.tokens for part in parts if isinstance(part, Image | File))
        tokens = 4 + len(text.encode()) // 3 + 5 * len(calls) + beside
        message = Message(len(self.path), role, text, calls, id_, name, turn, tokens, parts=parts)
        self.path = (*self.path, message)

    def _attached(self) -> tuple[Part, ...]:
        """Attach a picture or a file to some messages."""
        dice, digest = self.dice, self.dice.choice([*PICTURES])
        if dice.random() < 0.2:
            return (Image(digest, digest, "image/png", "map.png", 64, 64, tokens=85),)
        if dice.random() < 0.1:
            text = self._words(60)
            return (File(digest, digest, "text/plain", "log.txt", text=text, tokens=len(text)),)
        return ()

    def _words(self, most: int) -> str:
        return " ".join(self.dice.choices(WORDS, k=self.dice.randint(1, most))).strip() or "Well"


def _schema(name: str) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}
