"""Thirty rounds of tools, reasoning and images, under any kind of processors and settings."""

import asyncio
from dataclasses import dataclass, field, replace
from uuid import uuid4

from agents.models import AgentTemplate
from agents.providers.directory import Directory, hold
from agents.providers.models import KnownModel
from chatapp.databases.threads import in_database
from chatapp.llm import client
from chatapp.llm.catalogue import takes_images
from chatapp.llm.media import llm_request
from history.core.transcript.messages import Role
from history.models import Message
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from history.services.explain.raw.request import turn_then
from history.services.planning.projecting import project_turn
from history.services.whatif.trying import Variant, varied
from tests.attached import attach_picture
from tests.chatapp.lone_generations import lone
from tests.factories import make_agent
from tests.provider import Call
from tests.strict.families import WITHOUT_EFFORT
from tests.strict.server import Said

ADA = Actor(visitor="a" * 32)
ROUNDS = 30
PROSE = "The harbour is open, and the boats are out. " * 9
FILTER, LIMIT = {"use": "tool_call_filter"}, {"use": "token_limiter", "limit": 1_500}
DUE = {"trigger_at": 12, "keep_recent": 4, "max_checkpoints": 3}
KINDS = {
    "as it is": ([], {}),
    "all reasoning": ([], {"reasoning_keep": 30}),
    "no tools": ([FILTER], {}),
    "no tools, but reasoning": ([FILTER], {"reasoning_keep": 30}),
    "not one tool": ([{**FILTER, "exclude": ["current_time"]}], {}),
    "only one tool": ([{**FILTER, "include": ["current_time"]}, LIMIT], {"reasoning_keep": 9}),
    "results persist": ([{**FILTER, "exclude": ["calculator"], "persist_results": True}], {}),
    "limited tokens": ([LIMIT], {}),
    "results replaced": ([], {"tool_results_keep": 1, "reasoning_keep": 2}),
    "last items": ([], {"max_items": 10, "images_keep": 1}),
    "last turns": ([], {"policy": "lastN", "length": 2, "reasoning_keep": 30}),
    "no history": ([], {"policy": "none"}),
    "fifo": ([], {"pruner": "fifo", "token_budget": 2_500, "reasoning_keep": 30}),
    "sliding window": ([], {"pruner": "sliding_window", "token_budget": 2_500, "images_keep": 2}),
    "summarising pruner": ([], {"pruner": "summarize", "token_budget": 2_500, **DUE}),
    "summaries": ([], {"summarize": True, "reasoning_keep": 3, **DUE}),
    "short messages": ([], {"max_message_tokens": 64, "reasoning_keep": 30}),
    "thinking off": ([LIMIT], {"tool_results_keep": 2, "reasoning_effort": "none"}),
}


def steps(n):
    """Return what the model says in round n: two calls, every third time one more, then words."""
    calls = [
        Call("calculator", f'{{"expression": "{n} * 3"}}', f"c{n}_1"),
        Call("current_time", "{}", f"c{n}_2"),
    ]
    more = [Call("calculator", '{"expression": "1/0"}', f"c{n}_3")]
    said = [
        Said([f"Round {n}: ", "sèven \N{BRAIN} ", "</thi"], ["I call. ", PROSE], calls, "sealed"),
        Said([f"So {n}. "], [f"It is {n}. ", PROSE]),
    ]
    if n % 3 == 0:
        said.insert(1, Said([f"Again {n}.\n"], [], more))
    return said


@dataclass
class Talk:
    """A conversation of thirty rounds with a strict provider, each of the next kind in `kinds`.

    `received` are the provider's requests, without those for summaries; `statuses` are the statuses
    in which answers ended.
    """

    provider: object
    kinds: tuple[str, ...]
    conversation: object = None
    received: list = field(default_factory=list)
    statuses: set = field(default_factory=set)

    @property
    def model(self):
        return self.provider.family.model

    async def hold(self, rounds=ROUNDS):
        cannot = {name: KnownModel(name=name, reasoning=False) for name in WITHOUT_EFFORT}
        hold(Directory({}, frozenset(), cannot))
        await in_database(make_agent, model=self.model, tools=["calculator", "current_time"])
        for n in range(rounds):
            await self._round(n)
        return self

    async def _round(self, n):
        self.provider.script(*self._steps(n))
        before = len(self.provider.received)
        generation = await in_database(self._asked, n)
        made = lone(generation)
        made.task = asyncio.create_task(made.run())
        await made.task
        await summarised()
        await in_database(generation.refresh_from_db)
        self.statuses.add((generation.status, generation.error and str(generation.error)))
        self.received += self.provider.received[before : before + len(steps(n))]

    def _steps(self, n):
        """Return what the model says; OpenAI also thinks between its text and its calls."""
        first, *others = steps(n)
        if "/responses/" in self.model:
            first = replace(first, again=["Really? "])
        return [first, *others]

    def _asked(self, n):
        processors, chosen = self._kind(n)
        AgentTemplate.objects.update(processors=processors, history_settings=chosen)
        shown = n % 4 == 0 and takes_images(self.model)
        files = (attach_picture(ADA, f"map {n}").pk,) if shown else ()
        where = {"conversation": self.conversation} if self.conversation else {"agent": "demo"}
        text = f"Question {n}. {PROSE}"
        ack = send(ADA, Send(text=text, client_msg_id=uuid4(), attachments=files, **where))
        self.conversation = ack.conversation.pk
        return ack.generation

    def _kind(self, n):
        processors, chosen = KINDS[self.kinds[n % len(self.kinds)]]
        return processors, {"reasoning_effort": "low", **chosen}

    def thought(self):
        """Return the stored reasoning, message by message."""
        rows = Message.objects.filter(conversation=self.conversation, role=Role.ASSISTANT)
        return ["".join(p.get("text", "") for p in r.parts) for r in rows.order_by("position")]

    def thought_aloud(self):
        """Return the reasoning that the model showed: OpenAI's shows none, and Claude's only if
        asked.
        """
        shows = [self._shows(n) for n in range(ROUNDS) for _step in steps(n)]
        answers = [step for n in range(ROUNDS) for step in self._steps(n)]
        said = ["".join([*step.thinking, *step.again]) for step in answers]
        return [text if on else "" for text, on in zip(said, shows, strict=True)]

    def _shows(self, n):
        is_off = self._kind(n)[1]["reasoning_effort"] == "none"
        return not self.model.startswith(("openai/", "anthropic/") if is_off else "openai/gpt")


async def summarised():
    """Wait for the summaries that are written after an answer."""
    while pending := [t for t in asyncio.all_tasks() if t.get_name().startswith("summaries of")]:
        await asyncio.wait(pending)


def ends_of_rounds(plans, received):
    """Return each round's last plan, whose request has the whole tool loop, with that request."""
    last = {plan.generation_id: place for place, plan in enumerate(plans)}
    return [plans[n] for n in last.values()], [received[n] for n in last.values()]


async def sent_again(plans, kind):
    """Plan requests again as if all rounds had been of this kind, and send them."""
    for record in plans:
        async for _chunk in client.stream(await in_database(_planned, record, plans[0], kind)):
            pass


def _planned(record, first, kind):
    processors, chosen = KINDS[kind]
    turn = replace(turn_then(record), settings=turn_then(first).settings, checkpoints=None)
    again = Variant(settings=chosen, processors={"agent": processors})
    return llm_request(project_turn(varied(turn, again))[2])
