"""A picture in a tool's result reaches a strict provider of each family that takes pictures."""

from dataclasses import replace

import pytest

from chatapp.generation.reading.response import Response
from chatapp.llm import client
from chatapp.llm.images import after_results
from chatapp.llm.reasoning.families import family_of
from chatapp.llm.request import LlmRequest
from history.core.plan.neutral_request import RETURNED, openai_messages
from history.core.transcript.messages import Message, Role, ToolCall
from history.core.transcript.parts import Image
from tests.chatapp.llm.answering import PATIENT
from tests.chatapp.llm.test_tool_loops import TOOLS
from tests.provider import LITELLM_WARNS
from tests.strict.claude import Claude
from tests.strict.gemini import Gemini
from tests.strict.ollama import Ollama
from tests.strict.openai_chat import OpenAIChat
from tests.strict.server import StrictProvider

pytestmark = LITELLM_WARNS
DATA = "iVBORw0KGgo="
URLS = {"a" * 64: f"data:image/png;base64,{DATA}"}
SEEN = Image("a" * 64, "b" * 64, "image/png", "see")


def path(*texts, pictures=True):
    """Return the messages of a tool round; each result has a text and one picture."""
    calls = tuple(ToolCall(f"c{n}", "calculator", "{}") for n in range(len(texts)))
    parts = (SEEN,) if pictures else ()
    results = [
        Message(2 + n, Role.TOOL, text, tool_call_id=f"c{n}", turn=1, parts=parts)
        for n, text in enumerate(texts)
    ]
    return [
        Message(0, Role.USER, "Look", turn=1),
        Message(1, Role.ASSISTANT, "", calls, turn=1),
        *results,
    ]


@pytest.mark.parametrize("family", [OpenAIChat, Claude, Gemini, Ollama], ids=lambda f: f.__name__)
async def test_every_family_takes_it_where_it_takes_pictures(family, monkeypatch, settings):
    settings.MODEL_PROVIDERS |= {"ollama_chat"}
    with StrictProvider(family()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        model = provider.family.model
        request = LlmRequest(model, openai_messages(path("one", "")), tools=TOOLS, media=URLS)
        response = Response(10**6, family_of(model))
        async for chunk in client.stream(request, PATIENT):
            response.take(chunk, 0.1)
        await client.close()

    assert provider.refusals == []
    assert response.text == "reply 1"
    assert provider.received[0].raw.count(DATA.encode()) == 2


def test_the_pictures_of_a_round_follow_its_last_result():
    later = Message(4, Role.USER, "And?", turn=2)
    said = list(after_results(openai_messages([*path("one", ""), later])))

    assert [message["role"] for message in said] == [
        *("user", "assistant", "tool", "tool"),
        *["user"] * 2,
    ]
    assert [message["content"] for message in said[2:4]] == ["one", "[See the picture below]"]
    kinds = [part["type"] for part in said[4]["content"]]
    assert kinds == ["text", "image_url", "image_url"]
    assert said[4]["content"][0]["text"] == RETURNED


def test_a_mark_for_the_cache_stays_on_its_message_where_pictures_move():
    dated = Message(4, Role.USER, "The text made for this turn", turn=2)
    messages = openai_messages([*path("one"), dated])
    request = LlmRequest("openrouter/anthropic/claude-sonnet-4.5", messages, lasting=3)

    body = request.body()

    ((mark),) = body["cache_control_injection_points"]
    assert len(body["messages"]) == len(messages) + 1
    assert body["messages"][mark["index"] + 1]["content"] == dated.text


def test_results_without_pictures_stay_as_they_are():
    messages = openai_messages(path("one", "two", pictures=False))

    assert list(after_results(messages)) == messages


def test_a_users_own_picture_stays_where_it_is():
    message = replace(path("one")[0], parts=(SEEN,))

    assert list(after_results(openai_messages([message]))) == openai_messages([message])
