"""The offline demo agent with search finds what its history window has left behind."""

import uuid

import pytest

from agents.demo import load_demo_agents
from chatapp.databases.threads import close_connections, in_database
from chatapp.llm import client
from chatapp.llm.mirror import provider
from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.models import Conversation, Generation, Message
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from history.services.explain.lookup import shown_plan
from tests.chatapp.lone_generations import lone
from tests.factories import add_turns
from tests.provider import LITELLM_WARNS

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
ADA = Actor(visitor="a" * 32)
FACT = "Remember that the spare key is under the blue pot."
QUESTION = "What did I say about the spare key?"
TALK = 20  # Turns in which the window still has the fact, so answers quote it.
TURNS = 150  # Further turns before the question: 300 messages.


@pytest.fixture
async def asked(monkeypatch):
    """Return a function that tells an agent the fact, keeps chatting, and asks for it."""
    monkeypatch.setattr(provider, "words_per_second", 1e9)
    await in_database(load_demo_agents)

    async def say(text, **where):
        ack = await in_database(send, ADA, Send(text=text, client_msg_id=uuid.uuid4(), **where))
        await lone(ack.generation).run()
        return ack

    async def asked(agent, turns=TURNS):
        conversation = (await say(FACT, agent=agent)).conversation.pk
        for number in range(TALK):
            await say(f"And then, {number}?", conversation=conversation)
        await in_database(lambda: add_turns(Conversation.objects.get(pk=conversation), turns))
        return (await say(QUESTION, conversation=conversation)).generation

    yield asked
    await client.close()
    await close_connections()


def messages_of(generation: Generation) -> list[tuple[str, str]]:
    rows = Message.objects.filter(generation=generation).order_by("position")
    return [(row.role, row.text) for row in rows]


def last_plan(generation: Generation) -> Plan:
    return Plan.from_dict(shown_plan(generation.conversation).plan)


async def test_the_seeker_finds_what_was_said_three_hundred_messages_before(asked):
    generation = await asked("seeker")
    call, result, answer = await in_database(messages_of, generation)
    plan = await in_database(last_plan, generation)

    assert call == ("assistant", "")
    assert result[0] == "tool"
    assert f"[turn 1, user] {FACT}" in result[1]
    assert answer[0] == "assistant"
    assert answer[1].startswith("I wasn't sent that, so I searched the whole chat.")
    assert answer[1].endswith(f"\n- “{FACT}”")
    assert plan.verdict_of(0) is Verdict.TRIMMED


async def test_echoes_of_the_fact_do_not_keep_the_seeker_from_searching(asked):
    generation = await asked("seeker", turns=0)
    _, result, answer = await in_database(messages_of, generation)

    assert f"[turn 1, user] {FACT}" in result[1]
    assert answer[1].endswith(f"I found this:\n\n- “{FACT}”")


async def test_an_agent_that_cannot_search_says_that_it_was_not_sent_it(asked):
    generation = await asked("goldfish")
    ((role, text),) = await in_database(messages_of, generation)

    assert role == "assistant"
    assert text.startswith("I can't find that in what I was sent.")
