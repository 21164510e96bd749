"""A tool loop with reasoning, through litellm, with a strict provider of each family."""

from contextlib import ExitStack
from dataclasses import replace

import pytest

from chatapp.generation.reading.response import Response
from chatapp.llm import client
from chatapp.llm.errors import ProviderError
from chatapp.llm.reasoning.families import family_of, taking_of
from chatapp.llm.request import LlmRequest
from history.core.plan.bonds import bond_of
from history.core.plan.neutral_request import openai_messages
from history.core.transcript.messages import Message, Role
from history.services.path.appending import assistant_message
from tests.chatapp.llm.answering import PATIENT
from tests.provider import LITELLM_WARNS, Call
from tests.strict.families import FAMILIES, WITHOUT_EFFORT
from tests.strict.openai_chat import OpenAIChat
from tests.strict.server import Said, StrictProvider

pytestmark = LITELLM_WARNS
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "calculator",
            "description": "Adds.",
            "parameters": {"type": "object", "properties": {"a": {"type": "number"}}},
        },
    }
]
ASKED = Message(0, Role.USER, "Add", turn=1)
THINKING = ["Hm, \n", "se", "v\u00e8n \N{BRAIN}", " </th", "ink and more"]


def calls_of(path):
    """Return two calls with new ids."""
    return [Call("calculator", f'{{"a": {n}}}', f"c{len(path)}_{n}") for n in (1, 2)]


async def said(messages, model, deadlines=PATIENT, **fields):
    """Send the messages. Return the answer as the app would store it and read it again."""
    effort = None if model in WITHOUT_EFFORT else "low"
    fields = {"tools": TOOLS, "temperature": 0.3, "reasoning_effort": effort, **fields}
    request = LlmRequest(model, openai_messages(messages), **fields)
    taking = taking_of(model, effort)
    bond = bond_of(messages, "", taking) if taking.bound_to else None
    response = Response(10**6, family_of(model), bond)
    async for chunk in client.stream(request, deadlines):
        response.take(chunk, 1.5)
    calls = response.assembler.calls()
    new = assistant_message(response.text, calls, "demo", response.reasoning)
    return Message(len(messages), Role.ASSISTANT, new.text, new.calls, parts=new.parts, turn=1)


def result(call, position):
    return Message(position, Role.TOOL, "3", tool_call_id=call.id, tool_name=call.name, turn=1)


async def looped(model):
    """Ask for tools, and give their results. Return the model's two answers."""
    path = [ASKED]
    asked = await said(path, model)
    path += [asked, *(result(call, n) for n, call in enumerate(asked.tool_calls, 2))]
    return asked, await said(path, model)


async def test_a_tool_loop_brings_back_what_was_thought(strict):
    strict.script(
        Said(THINKING, ["I ", "call."], calls_of([]), hidden="secret"), Said(["So."], ["3"])
    )

    asked, answered = await looped(strict.family.model)

    assert strict.refusals == []
    assert (asked.text, answered.text) == ("I call.", "3")
    assert [(c.name, c.arguments) for c in asked.tool_calls] == [
        (call.name, call.arguments) for call in calls_of([])
    ]
    thought = "".join(part.text for part in asked.parts)
    assert thought == ("" if type(strict.family) is OpenAIChat else "".join(THINKING))


async def test_what_was_thought_after_a_text_goes_back_after_it(strict):
    strict.script(
        Said(THINKING, ["I ", "call."], calls_of([]), again=["No, ", "yes."]), Said(text=["3"])
    )

    asked, answered = await looped(strict.family.model)

    assert strict.refusals == []
    assert (asked.text, answered.text) == ("I call.", "3")
    if strict.family.model.startswith("anthropic/"):
        content = strict.received[-1].body["messages"][1]["content"]
        kinds = ["thinking", "text", "thinking", "tool_use", "tool_use"]
        assert [block["type"] for block in content] == kinds
    if strict.family.model.startswith("openai/responses/"):
        kinds = ["message", "reasoning", "message", "reasoning", *["function_call"] * 2]
        assert [item["type"] for item in strict.received[-1].body["input"]][:6] == kinds


@pytest.mark.whole
async def test_a_silent_thinker_is_waited_for_while_its_connection_shows_life(strict):
    strict.script(Said(text=["Hello."]), Said(text=["At last."], silence=1.2))
    await said([ASKED], strict.family.model)  # The first request loads the provider's client.

    deadlines = replace(PATIENT, first_token=0.6)
    answered = await said([ASKED], strict.family.model, deadlines)

    assert answered.text == "At last."


@pytest.mark.whole
async def test_it_is_not_waited_for_beyond_the_total(strict):
    strict.script(Said(text=["Hello."]), Said(text=["Too late."], silence=5))
    await said([ASKED], strict.family.model)

    with pytest.raises(ProviderError, match="took longer than 1 s in total"):
        await said([ASKED], strict.family.model, replace(PATIENT, first_token=0.6, total=1))


@pytest.mark.parametrize("order", [FAMILIES, FAMILIES[::-1]], ids=["forwards", "backwards"])
async def test_models_of_all_families_may_take_turns_in_one_tool_loop(order, monkeypatch, settings):
    """After a hand-over, another model continues the loop. It never gets what the first one thought
    and signed.
    """
    settings.MODEL_PROVIDERS |= {"hosted_vllm", "ollama_chat"}
    path = [ASKED]
    with ExitStack() as stack:
        providers = [stack.enter_context(StrictProvider(family())) for family in order]
        for provider in [*providers, *providers]:
            for name, value in provider.environment.items():
                monkeypatch.setenv(name, value)
            provider.script(Said(THINKING, ["I call."], calls_of(path), hidden="secret"))
            path.append(await said(path, provider.family.model))
            path += [result(call, len(path) + n) for n, call in enumerate(path[-1].tool_calls)]
        await client.close()

    assert [provider.refusals for provider in providers] == [[] for _ in providers]
    assert len(path) == 1 + 2 * len(order) * 3
