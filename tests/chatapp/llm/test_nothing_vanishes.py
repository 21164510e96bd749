"""Every character that a provider streams, in whatever pieces, is kept, or reported as lost.

The texts contain, unescaped, every character that some reader takes for the end of a line, a text
or a stream.
"""

import json
import os
import random

import pytest

from chatapp.generation.reading.response import Response
from chatapp.llm import client
from chatapp.llm.reasoning.families import family_of
from chatapp.llm.retries import Attempts
from history.core.wire.streamed import StreamCounts
from tests.chatapp.llm.answering import PATIENT, request_to
from tests.chatapp.llm.planting import plant
from tests.provider import LITELLM_WARNS, Call
from tests.strict.families import FAMILIES, WITHOUT_EFFORT
from tests.strict.gemini import Gemini
from tests.strict.ollama import Ollama
from tests.strict.openai_chat import OpenAIChat
from tests.strict.server import Said

pytestmark = LITELLM_WARNS
EACH = int(os.environ.get("STREAMS", "40"))  # Random streams per family; a thorough run had 10,000.
SEPARATORS = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r\n\t"
ODD = {
    "separators": [f"a{mark}b" for mark in SEPARATORS],
    "nothing but separators": list(SEPARATORS),
    "a BOM": ["\ufeff", "mid\ufeffdle", "\ufeff"],
    "the end of a stream": ["T1 ", "[DONE]", " a [DONE] b", "data: [DONE]\n\n", " T3"],
    "fields of an event": ["data:", "data: {}", "\n\nevent: error\ndata: x\n\n", ": ping", "id: 1"],
    "a lone CR": ["one\rtwo", "\r", "three\r"],
    "controls": [chr(code) for code in range(1, 32)],
    "beyond the first plane": ["🙂", "👩\u200d👩\u200d👧", "𝄞\u2028𝄞"],
    "JSON": ['{"choices": [{"delta": {}}]}', "\\u2028", "\\", '"', "</s>", "<|endoftext|>"],
    "equal pieces": ["ha"] * 150,
}
WORDS = [word for words in ODD.values() for word in words] + ["harbour ", "öre", " ", "日本"]


def arguments(pieces):
    return json.dumps({"a": "".join(pieces), "n": [1, 2.5, None]}, ensure_ascii=False)


async def answered(provider, said):
    """Return the whole response, and the comparison of its text with its bytes."""
    provider.script(said)
    model = provider.family.model
    response, attempts = Response(10**7, family_of(model)), Attempts()
    effort = None if model in WITHOUT_EFFORT else "low"
    request = request_to(model, reasoning_effort=effort, max_tokens=8_000)
    async for chunk in client.stream(request, PATIENT, attempts):
        response.take(chunk, 1.0)
    return response, response.outcome(1.0, attempts, None)["streamed"]


def assert_kept(provider, said, response, found):
    """Assert that everything that was said is kept, and that the count of the bytes agrees."""
    shows = type(provider.family) is not OpenAIChat
    assert response.text == "".join(said.text)
    thought = "".join(part.text for part in response.reasoning)
    assert thought == ("".join(said.thinking) if shows else "")
    kept = response.assembler.calls()
    assert [call.name for call in kept] == [call.name for call in said.calls]
    given = [call.arguments for call in said.calls]
    if isinstance(provider.family, Gemini | Ollama):  # Their arguments are objects.
        assert [json.loads(call.arguments) for call in kept] == list(map(json.loads, given))
    else:
        assert [call.arguments for call in kept] == given
    compared = StreamCounts.from_dict(found)
    assert list(compared.notes()) == []
    assert compared.said["text"] >= len(response.text)  # Ollama's tags count as text.


@pytest.mark.parametrize("name", ODD)
async def test_odd_texts_are_kept_whole(strict, name):
    pieces = ODD[name]
    said = Said(pieces, pieces, [Call("calculator", arguments(pieces), "c1")])

    response, found = await answered(strict, said)

    assert_kept(strict, said, response, found)


@pytest.mark.parametrize("size", [1, 2, 7])
async def test_they_are_kept_wherever_the_bytes_are_parted(strict, size):
    strict.piece = size
    said = Said(
        ["Hm\u2028", "🙂[DONE]"], ["a\u2029\x85", "b"], [Call("clock", arguments(["\x85"]))]
    )

    response, found = await answered(strict, said)

    assert_kept(strict, said, response, found)


def random_said(dice):
    def pieces(most):
        return [word for word in dice.choices(WORDS, k=dice.randint(0, most)) if word]

    calls = [
        Call(dice.choice(["clock", "calculator"]), arguments(pieces(6)), f"c{number}")
        for number in range(dice.choice([0, 0, 1, 3]))
    ]
    return Said(pieces(8), [*pieces(12), "."], calls)


async def test_random_streams_are_kept_whole(strict):
    for seed in range(EACH):
        dice = random.Random(seed)
        strict.piece = dice.choice([None, None, 1, 3, 50])
        said = random_said(dice)

        response, found = await answered(strict, said)

        assert_kept(strict, said, response, found)


PLANTED = [
    (family, kind)
    for family in FAMILIES
    for kind in ("text", "reasoning", "arguments")
    if kind != "reasoning" or family is not OpenAIChat  # OpenAI shows no reasoning.
]


@pytest.mark.parametrize(("strict", "kind"), PLANTED, indirect=["strict"])
async def test_a_planted_loss_is_seen(strict, kind, monkeypatch, caplog):
    """The test removes a piece after its bytes were counted, and before it is read."""
    plant(monkeypatch, b"LOST", b"")
    thinking = ["Hm", "LOST"] if kind == "reasoning" else ["Hm"]
    text = ["Yes", "LOST"] if kind == "text" else ["Yes"]
    call = Call("clock", arguments(["LOST" if kind == "arguments" else "now"]))

    _, found = await answered(strict, Said(thinking, text, [call]))

    tagged = kind == "reasoning" and isinstance(strict.family, Ollama)  # Ollama's tags are text.
    lost = "text" if tagged else kind
    assert StreamCounts.from_dict(found).differing == (lost,)
    assert found["said"][lost] - found["kept"][lost] == len("LOST")
    assert "Part of an answer was not kept" in caplog.text
