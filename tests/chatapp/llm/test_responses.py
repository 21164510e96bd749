"""OpenAI's Responses API through litellm: parted messages, and models that do not stream there."""

import pytest

from chatapp.llm import client
from chatapp.llm.chunks import Finish, TextDelta
from chatapp.llm.reasoning.openai import parted
from chatapp.llm.retries import Attempts
from tests.chatapp.llm.answering import answer
from tests.provider import LITELLM_WARNS, Reply
from tests.strict.openai_responses import OpenAIResponses
from tests.strict.server import Said, StrictProvider

pytestmark = LITELLM_WARNS
ONE, TWO = ({"type": "reasoning", "id": id_} for id_ in ("rs_1", "rs_2"))
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def message(content, *placed, **more):
    return {"role": "assistant", "content": content, "reasoning_items": list(placed), **more}


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        pytest.param(message("ab", (0, ONE)), [("ab", [ONE])], id="before a text"),
        pytest.param(
            message("ab", (0, ONE), (1, TWO)), [("a", [ONE]), ("b", [TWO])], id="between texts"
        ),
        pytest.param(
            message("ab", (0, ONE), (2, TWO), tool_calls=[CALL]),
            [("ab", [ONE]), (None, [TWO])],
            id="between a text and a call",
        ),
        pytest.param(message("ab", (0, ONE), (9, TWO)), [("ab", [ONE])], id="a shortened text"),
        pytest.param(
            message(None, (0, ONE), (2, TWO), tool_calls=[CALL]),
            [(None, [ONE, TWO])],
            id="no text before a call",
        ),
    ],
)
def test_a_message_is_parted_where_the_model_thought(whole, parts):
    found = list(parted(whole))

    assert [(part["content"], part["reasoning_items"]) for part in found] == parts
    assert [part.get("tool_calls") for part in found[:-1]] == [None] * (len(found) - 1)


def test_a_message_that_is_a_list_stays_whole():
    listed = message([{"type": "text", "text": "a"}], (0, ONE))

    (part,) = parted(listed)

    assert part == {"role": "assistant", "content": [{"type": "text", "text": "a"}]}


@pytest.mark.parametrize("model", ["gpt-5.4", "llama-9", "gpt-9"])
async def test_a_model_that_nobody_lists_streams(model, monkeypatch):
    with StrictProvider(OpenAIResponses()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        provider.script(Said(text=["Hel", "lo"]))

        chunks, error = await answer(f"openai/responses/{model}")
        await client.close()

    assert error is None
    assert [chunk.text for chunk in chunks if isinstance(chunk, TextDelta)] == ["Hel", "lo"]
    assert provider.received[0].body["stream"] is True


WHOLE = """{"id": "resp_1", "object": "response", "created_at": 1, "model": "o1-pro",
"status": "completed", "parallel_tool_calls": false, "tool_choice": "auto", "tools": [],
"output": [{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
"content": [{"type": "output_text", "text": "Hello there", "annotations": []}]}],
"usage": {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5}}"""


@pytest.mark.usefixtures("reached")
async def test_a_model_that_cannot_stream_there_answers_at_once(provider):
    attempts = Attempts()
    provider.script(Reply(status=200, body=WHOLE))

    chunks, error = await answer("openai/responses/o1-pro", attempts=attempts)

    assert error is None
    assert "".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta)) == "Hello there"
    assert chunks[-1] == Finish("stop")
    assert attempts.made == 1
