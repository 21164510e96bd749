"""A tool loop with reasoning, through the real library, with a strict provider of each family."""

import pytest

from chatapp.generation.response import Response
from chatapp.llm import client
from chatapp.llm.families import family_of
from chatapp.llm.request import LlmRequest
from history.core.messages import Message, Role
from history.core.plan.wire import openai_messages
from history.services.path.appending import assistant_message
from tests.chatapp.llm.answering import PATIENT
from tests.provider import LITELLM_WARNS, Call
from tests.strict.families import FAMILIES
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
CALLS = [Call("calculator", '{"a": 1}', "c1"), Call("calculator", '{"a": 2}', "c2")]
THINKING = ["Hm, \n", "se", "v\u00e8n \N{BRAIN}", " </th", "ink and more"]


@pytest.fixture(params=FAMILIES, ids=lambda family: family.__name__)
async def strict(request, monkeypatch, settings):
    settings.MODEL_PROVIDERS |= {"hosted_vllm", "ollama_chat"}
    with StrictProvider(request.param()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        yield provider
        await client.close()


async def said(messages, model, **fields):
    """Send the messages; return what came back, as it is stored and read again."""
    fields = {"tools": TOOLS, "temperature": 0.3, "reasoning_effort": "low", **fields}
    request = LlmRequest(model, openai_messages(messages), **fields)
    response = Response(10**6, family_of(model))
    async for chunk in client.stream(request, PATIENT):
        response.take(chunk, 1.5)
    calls = response.assembler.calls()
    new = assistant_message(response.text, calls, "demo", response.reasoning)
    return Message(len(messages), Role.ASSISTANT, new.text, new.calls, parts=new.parts, turn=1)


def result(call, position):
    return Message(position, Role.TOOL, "3", tool_call_id=call.id, tool_name=call.name, turn=1)


async def test_a_tool_loop_brings_back_what_was_thought(strict):
    strict.script(Said(THINKING, ["I ", "call."], CALLS, hidden="secret"), Said(["So."], ["3"]))
    path = [Message(0, Role.USER, "Add", turn=1)]

    asked = await said(path, strict.family.model)
    path += [asked, *(result(call, n) for n, call in enumerate(asked.tool_calls, 2))]
    answered = await said(path, strict.family.model)

    assert strict.refusals == []
    assert (asked.text, answered.text) == ("I call.", "3")
    assert [(c.name, c.arguments) for c in asked.tool_calls] == [
        (call.name, call.arguments) for call in CALLS
    ]
    thought = "".join(part.text for part in asked.parts)
    assert thought == ("" if strict.family.model.startswith("openai/") else "".join(THINKING))
