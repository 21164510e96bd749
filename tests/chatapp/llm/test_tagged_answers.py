"""Text between tags becomes reasoning where servers need that; an answer is never lost in tags."""

import pytest

from chatapp.llm import client
from chatapp.llm.chunks import TextDelta
from chatapp.llm.providers.connection import Connection
from chatapp.llm.reasoning.deltas import ReasoningDelta
from tests.chatapp.llm.answering import DIRECT, WRAPPED, answer
from tests.provider import LITELLM_WARNS, Call, Reply

pytestmark = LITELLM_WARNS
TAGGED = ["<think>", "A tag of HTML ", "is written so."]


@pytest.fixture(params=[DIRECT, WRAPPED])
async def model(request, provider, monkeypatch, settings):
    settings.MODEL_PROVIDERS |= {"hosted_vllm"}
    for name in ("OPENAI", "HOSTED_VLLM"):
        monkeypatch.setenv(f"{name}_API_BASE", f"{provider.url}/v1")
        monkeypatch.setenv(f"{name}_API_KEY", "sk-test")
    yield request.param
    await client.close()


def joined(chunks, kind):
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, kind))


@pytest.mark.parametrize(
    ("reply", "text", "thought"),
    [
        (Reply(text=TAGGED), "A tag of HTML is written so.", "A tag of HTML is written so."),
        (Reply(text=["<think>Hm.</think>", "\n"]), "\nHm.", "Hm."),
        (Reply(text=["<think>Hm.</think>", "Yes."]), "Yes.", "Hm."),
        (Reply(text=["<think>Hm."], finish="length"), "", "Hm."),
        (Reply(text=["<think>Hm."], calls=[Call("clock", "{}")], finish="stop"), "", "Hm."),
    ],
    ids=["never closed", "nothing after it", "an answer after it", "cut off", "a call"],
)
async def test_an_answer_that_stood_in_tags_is_shown(provider, model, reply, text, thought):
    provider.script(reply)

    chunks, error = await answer(model)

    assert error is None
    assert joined(chunks, TextDelta) == text
    assert joined(chunks, ReasoningDelta) == thought


@pytest.mark.parametrize(
    ("model", "address", "splits"),
    [
        ("openai/gpt-4o", None, False),
        ("openai/gpt-4o", "https://api.openai.com/v1", False),
        ("openai/qwen3", "http://gpu:8000/v1", True),
        ("hosted_vllm/qwen3", None, True),
        ("ollama_chat/qwen3", "http://localhost:11434", True),
        ("mistral/large", None, False),
    ],
)
def test_tags_are_text_at_the_makers_own_address(model, address, splits):
    assert bool(client._splitter(model, Connection(model, address))) is splits
