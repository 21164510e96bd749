"""An answer that was stopped or failed keeps exactly the text that had arrived."""

import asyncio
from contextlib import aclosing, suppress

import pytest

from chatapp.generation.reading.response import Response
from chatapp.llm import client
from chatapp.llm.reasoning.families import family_of
from chatapp.llm.retries import Attempts
from history.core.wire.streamed import StreamCounts
from tests.chatapp.llm.answering import DIRECT, PATIENT, WRAPPED, request_to
from tests.chatapp.llm.planting import plant
from tests.chatapp.llm.test_nothing_vanishes import arguments
from tests.provider import LITELLM_WARNS, Call, Reply
from tests.strict.families import WITHOUT_EFFORT
from tests.strict.server import Said

pytestmark = LITELLM_WARNS
SAID = Said(
    ["Hm\u2028", " <b>", "so"], ["one ", "two ", "three "], [Call("clock", arguments("ab"))]
)


async def stopped(model, after):
    """Cancel an answer after this many chunks; return the response and its outcome."""
    response, attempts = Response(10**7, family_of(model)), Attempts()
    effort = None if model in WITHOUT_EFFORT else "low"
    request = request_to(model, reasoning_effort=effort, max_tokens=8_000)

    async def reading():
        taken = 0
        async with aclosing(client.stream(request, PATIENT, attempts)) as chunks:
            async for chunk in chunks:
                response.take(chunk, 1.0)
                taken += 1
                if taken == after:
                    asyncio.current_task().cancel()

    with suppress(asyncio.CancelledError):
        await asyncio.create_task(reading())
    for chunk in attempts.held():
        response.take(chunk, 1.0)
    return response, response.outcome(1.0, attempts, None)


@pytest.mark.parametrize("size", [7, 90, None])
async def test_wherever_it_is_stopped_it_is_what_its_bytes_say_so_far(strict, size):
    strict.piece = size
    for after in range(1, 12):
        strict.script(SAID)
        response, outcome = await stopped(strict.family.model, after)

        assert "".join(SAID.text).startswith(response.text)
        assert list(StreamCounts.from_dict(outcome["streamed"]).notes()) == []


@pytest.fixture(params=[DIRECT, WRAPPED])
async def model(request, provider, monkeypatch, settings):
    settings.MODEL_PROVIDERS |= {"hosted_vllm"}
    for name in ("OPENAI", "HOSTED_VLLM"):
        monkeypatch.setenv(f"{name}_API_BASE", f"{provider.url}/v1")
        monkeypatch.setenv(f"{name}_API_KEY", "sk-test")
    yield request.param
    await client.close()


@pytest.mark.parametrize("read", [b"", b"LOSTLOST"], ids=["lost", "invented"])
async def test_what_is_lost_or_invented_before_it_is_stopped_is_seen(
    provider, model, monkeypatch, caplog, read
):
    """The test changes the text between counting and reading it."""
    plant(monkeypatch, b"LOST", read)

    provider.script(Reply(text=["one ", "LOST"], endless=True))
    response, outcome = await stopped(model, 2_000)

    found = StreamCounts.from_dict(outcome["streamed"])
    assert outcome["finish_reason"] == ""
    assert found.kept["text"] == len(response.text)
    assert found.differing == ("text",)
    assert (found.kept["text"] > found.said["text"]) is bool(read)
    assert "Part of an answer was not kept" in caplog.text
