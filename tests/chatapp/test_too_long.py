"""A request that is too long is noticed before it is sent, or refused by the provider and repeated
once with less.
"""

import json
import uuid

import pytest

from chatapp.databases.threads import close_connections, in_database
from chatapp.llm import client
from history.models import ContextPlan, GenerationStatus, RequestOutcome, TokenCalibration
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from tests.chatapp.lone_generations import lone
from tests.factories import add_turns, make_agent
from tests.provider import LITELLM_WARNS, Call, Reply

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
ADA = Actor(visitor="ada")
ERROR = {
    "message": "This model's maximum context length is 8192 tokens.",
    "type": "invalid_request_error",
    "code": "context_length_exceeded",
    "param": "messages",
}
TOO_LONG = Reply(status=400, body=json.dumps({"error": ERROR}))


@pytest.fixture
async def run(provider):
    """Return a function that sends a message in a chat of 40 turns, and runs the answer."""

    async def run(prompt="Be brief.", **values):
        values = {"policy": "all", "min_history_turns": 0, "output_reserve": 256, **values}
        generation = await in_database(begin, prompt, values)
        await lone(generation).run()
        await in_database(generation.refresh_from_db)
        return generation

    yield run
    await client.close()
    await close_connections()


def begin(prompt, values):
    make_agent(
        model="openai/fake", system_prompt=prompt, tools=["calculator"], history_settings=values
    )
    ack = send(ADA, Send(text="Hello", client_msg_id=uuid.uuid4(), agent="demo"))
    ack.generation.status = GenerationStatus.DONE
    ack.generation.save()
    add_turns(ack.conversation, 40)
    return send(
        ADA, Send(text="And now?", client_msg_id=uuid.uuid4(), conversation=ack.conversation.pk)
    ).generation


def plans():
    return list(ContextPlan.objects.order_by("step"))


async def test_what_cannot_fit_is_never_sent(run, provider):
    generation = await run("word " * 3_000, context_window=1_024)

    assert generation.status == GenerationStatus.FAILED
    assert generation.error["kind"] == "too_large"
    assert "1,024" in generation.error["message"]
    assert provider.requests == []


async def test_a_provider_that_finds_it_too_long_is_asked_once_more_with_less(run, provider):
    provider.script(TOO_LONG, Reply(text=["Now."]))
    generation = await run(context_window=1_024)
    first, second = await in_database(plans)
    outcomes = await in_database(lambda: list(RequestOutcome.objects.order_by("plan__step")))

    assert generation.status == GenerationStatus.DONE
    assert (first.plan["percent"], second.plan["percent"]) == (100, 75)
    assert [o.error["kind"] if o.error else None for o in outcomes] == ["context_too_long", None]
    long, short = (len(request["messages"]) for request in provider.requests)
    assert short < long
    assert await in_database(lambda: generation.messages.get().text) == "Now."


async def test_found_too_long_twice_it_fails_and_says_so(run, provider):
    provider.script(TOO_LONG, TOO_LONG)
    generation = await run(context_window=1_024)

    assert generation.status == GenerationStatus.FAILED
    assert generation.error["kind"] == "context_too_long"
    assert "even after we cut the history to 75% of its budget" in generation.error["message"]
    assert len(provider.requests) == 2


async def test_the_steps_that_follow_keep_to_the_tighter_budget(run, provider):
    call = Reply(calls=[Call("calculator", '{"expression": "1+1"}')], finish="tool_calls")
    provider.script(TOO_LONG, call, Reply(text=["Two."]))
    generation = await run(context_window=1_024)

    assert generation.status == GenerationStatus.DONE
    assert [plan.plan["percent"] for plan in await in_database(plans)] == [100, 75, 75]


async def test_once_in_a_generation(run, provider):
    call = Reply(calls=[Call("calculator", '{"expression": "1+1"}')], finish="tool_calls")
    provider.script(TOO_LONG, call, TOO_LONG)
    generation = await run(context_window=1_024)

    assert generation.status == GenerationStatus.FAILED
    assert len(provider.requests) == 3


async def test_what_a_provider_counts_is_learnt(run, provider):
    usage = {"prompt_tokens": 120, "completion_tokens": 2, "total_tokens": 122}
    provider.script(Reply(text=["Now."], usage=usage))
    await run(policy="none")
    row = await in_database(TokenCalibration.objects.get)
    (plan,) = await in_database(plans)
    window = plan.plan["window"]
    names = ("system_prompt", "tool_schemas", "injected", "history", "summaries")

    assert (row.model, row.reported) == ("openai/fake", 120)
    assert row.estimated == sum(window[name] for name in names)
