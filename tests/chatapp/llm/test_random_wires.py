"""In 200 random conversations, the stored record of each request is what the provider received,
byte for byte.

Each leaf of the two bodies is equal in both, or named by a difference.
"""

import json
import random

import pytest

from chatapp.llm import client
from chatapp.llm.errors import ProviderError
from chatapp.llm.request import LlmRequest
from chatapp.llm.retries import Attempts
from history.core.wire.pieces import in_pieces, packed, unpacked
from tests.chatapp.generation.wires import unlisted
from tests.chatapp.llm.answering import PATIENT
from tests.provider import LITELLM_WARNS
from tests.strict.claude import Claude
from tests.strict.deepseek import DeepSeek
from tests.strict.gemini import Gemini
from tests.strict.ollama import Ollama
from tests.strict.openai_chat import OpenAIChat
from tests.strict.openai_responses import OpenAIResponses
from tests.strict.server import StrictProvider

pytestmark = [pytest.mark.whole, *LITELLM_WARNS]
EACH = 40
WORDS = ["harbour", "öre", "“quoted”", "\n", "\\", '"', "🙂", "</x>", "日本", "a\tb", "\u2028"]
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
MEDIA = {"a" * 64: f"data:image/png;base64,{PIXEL}"}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"Use {name} “well”",
            "parameters": {"type": "object", "properties": {"zone": {"type": "string"}}},
        },
    }
    for name in ("clock", "calculator")
]


def words(dice, most=30):
    return " ".join(dice.choices(WORDS, k=dice.randint(1, most))).strip() or "Hello"


def question(dice):
    text = words(dice)
    if dice.random() < 0.7:
        return {"role": "user", "content": text}
    picture = {"type": "image_url", "image_url": {"url": f"media:{'a' * 64}"}}
    return {"role": "user", "content": [picture, {"type": "text", "text": text}]}


def rounds(dice, number):
    for place in range(dice.randint(0, 2)):
        id_ = f"call_{number}_{place}"
        given = json.dumps({"zone": words(dice, 3)}, ensure_ascii=dice.random() < 0.5)
        call = {"id": id_, "type": "function", "function": {"name": "clock", "arguments": given}}
        yield {"role": "assistant", "content": None, "tool_calls": [call], **thought(dice)}
        result = words(dice) if dice.random() < 0.5 else json.dumps({"now": dice.randint(0, 9)})
        yield {"role": "tool", "tool_call_id": id_, "content": result}


def thought(dice):
    if dice.random() < 0.5:
        return {}
    part = {"kind": "reasoning", "form": "text", "text": words(dice), "family": "deepseek"}
    return {"reasoning": [part]}


def request_of(dice, model):
    messages = [{"role": "system", "content": words(dice)}] if dice.random() < 0.7 else []
    for number in range(dice.randint(1, 6)):
        messages += [question(dice), *rounds(dice, number)]
        messages += [{"role": "assistant", "content": words(dice)}]
    return LlmRequest(
        model,
        [*messages, question(dice)],
        tools=TOOLS,
        temperature=dice.choice([None, 0.3, 1]),
        max_tokens=dice.choice([None, 900]),
        media=MEDIA,
    )


async def sent_for(request):
    attempts = Attempts()
    try:
        async for _chunk in client.stream(request, PATIENT, attempts):
            pass
    except ProviderError:
        assert attempts.sent  # It was sent, even if it was refused.
    return attempts.sent


@pytest.mark.parametrize("family", [OpenAIChat, OpenAIResponses, DeepSeek, Claude, Gemini, Ollama])
async def test_the_record_is_what_was_received(family, monkeypatch, settings, db):
    settings.MODEL_PROVIDERS |= {family.model.partition("/")[0]}
    with StrictProvider(family()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        for seed in range(EACH):
            request = request_of(random.Random(seed), family.model)
            before = len(provider.received)

            (sent,) = await sent_for(request)

            (received,) = provider.received[before:]
            assert sent.body == received.raw
            texts = {(n, 0): str(m["content"]) for n, m in enumerate(request.messages)}
            assert unpacked(packed(in_pieces(sent.body, texts))).body(texts) == received.raw
            assert unlisted(request.body(), json.loads(sent.body), sent.address) == {}
    await client.close()


def test_the_openai_library_would_send_every_body_as_it_is_given():
    """The openai library searches each body for names to translate; we skip that, as none occur."""
    from openai._utils import maybe_transform  # noqa: PLC0415 -- slow to import
    from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming  # noqa: PLC0415

    for seed in range(EACH):
        body = request_of(random.Random(seed), OpenAIChat.model).body()

        assert maybe_transform(body, CompletionCreateParamsStreaming) == body
