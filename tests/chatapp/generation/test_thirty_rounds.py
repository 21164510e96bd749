"""Thirty rounds of tools, reasoning and images with a strict provider of each family.

In every round another processor or setting leaves something out. Nothing is refused, and every byte
of what the model thought is stored, as is every byte of what left.
"""

import asyncio
from uuid import uuid4

import pytest

from agents.models import AgentTemplate
from agents.providers.directory import Directory, hold
from agents.providers.models import KnownModel
from chatapp.databases.threads import close_connections, in_database
from chatapp.llm import client
from chatapp.llm.catalogue import takes_images
from history.core.messages import Role
from history.models import GenerationStatus, Message
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from tests.attached import attach_picture
from tests.chatapp.generation.wires import check_wires
from tests.chatapp.lone_generations import lone
from tests.factories import make_agent
from tests.provider import LITELLM_WARNS, Call
from tests.strict.families import FAMILIES
from tests.strict.ollama import Ollama
from tests.strict.server import Said, StrictProvider

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
ADA = Actor(visitor="a" * 32)
ROUNDS = 30
PROSE = "The harbour is open, and the boats are out. " * 12
FILTER, LIMIT = {"use": "tool_call_filter"}, {"use": "token_limiter", "limit": 1_500}
VARIANTS = [
    ([], {}),
    ([FILTER], {}),
    ([{**FILTER, "exclude": ["current_time"]}], {}),
    ([{**FILTER, "exclude": ["calculator"], "persist_results": True}], {}),
    ([LIMIT], {}),
    ([{**FILTER, "include": ["current_time"]}, LIMIT], {"reasoning_keep": 9}),
    ([], {"tool_results_keep": 1, "reasoning_keep": 2}),
    ([], {"max_items": 10, "images_keep": 1}),
    ([], {"policy": "lastN", "length": 2, "reasoning_keep": 30}),
    ([], {"policy": "none"}),
    ([], {"pruner": "fifo", "token_budget": 2_500, "reasoning_keep": 30}),
    ([], {"pruner": "sliding_window", "token_budget": 2_500, "images_keep": 2}),
    ([LIMIT], {"tool_results_keep": 2, "max_items": 30, "reasoning_effort": "none"}),
    ([], {"reasoning_keep": 30}),
]


def steps(n):
    """What the model says in round n: two calls, in some rounds one more, then words."""
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


@pytest.mark.parametrize("family", FAMILIES[:5], ids=lambda family: family.__name__)
async def test_nothing_is_refused_and_every_byte_of_reasoning_is_stored(
    family, monkeypatch, settings
):
    settings.MODEL_PROVIDERS |= {"hosted_vllm", "ollama_chat"}
    hold(Directory({}, frozenset(), {Ollama.model: KnownModel(name=Ollama.model, reasoning=False)}))
    await in_database(make_agent, model=family.model, tools=["calculator", "current_time"])
    with StrictProvider(family()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        conversation = None
        for n in range(ROUNDS):
            provider.script(*steps(n))
            conversation = await a_round(n, provider, conversation)
        await client.close()

    await in_database(check_wires, conversation, provider)
    await in_database(check_stored, conversation, provider)
    await close_connections()


async def a_round(n, provider, conversation):
    ack = await in_database(asked, n, provider.family.model, conversation)
    made = lone(ack.generation)
    made.task = asyncio.create_task(made.run())
    await made.task
    await in_database(ack.generation.refresh_from_db)
    assert provider.refusals == []
    assert (ack.generation.status, ack.generation.error) == (GenerationStatus.DONE, None)
    return ack.conversation.pk


def asked(n, model, conversation):
    processors, chosen = VARIANTS[n % len(VARIANTS)]
    chosen = {"reasoning_effort": "low", **chosen}
    AgentTemplate.objects.update(processors=processors, history_settings=chosen)
    shown = n % 4 == 0 and takes_images(model)
    files = (attach_picture(ADA, f"map {n}").pk,) if shown else ()
    where = {"conversation": conversation} if conversation else {"agent": "demo"}
    text = f"Question {n}. {PROSE}"
    return send(ADA, Send(text=text, client_msg_id=uuid4(), attachments=files, **where))


def check_stored(conversation, provider):
    rows = Message.objects.filter(conversation=conversation, role=Role.ASSISTANT)
    thought = ["".join(p.get("text", "") for p in row.parts) for row in rows.order_by("position")]
    said = [(n, step) for n in range(ROUNDS) for step in steps(n)]
    shown = [shows(provider.family.model, n) for n, _step in said]
    expected = ["".join(s.thinking) if on else "" for (_n, s), on in zip(said, shown, strict=True)]
    assert thought == expected


def shows(model, n):
    """Whether the model shows what it thinks in this round: Claude thinks only if asked to."""
    effort = VARIANTS[n % len(VARIANTS)][1].get("reasoning_effort")
    return not model.startswith("openai/" if effort != "none" else ("openai/", "anthropic/"))
