"""Fixtures that lead all clients to the fake provider, and run a strict one of each family."""

import pytest

from chatapp.llm import client
from tests.chatapp.llm.answering import DIRECT, LISTED, WRAPPED
from tests.chatapp.llm.families import FAMILIES as MODELS
from tests.chatapp.llm.families import environment_of
from tests.strict.families import FAMILIES
from tests.strict.server import StrictProvider


@pytest.fixture
async def both_roads(provider, monkeypatch, settings):
    """Let litellm reach the fake provider, too. Close all connections before the test's event loop
    ends.
    """
    settings.MODEL_PROVIDERS |= {"hosted_vllm"}
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", f"{provider.url}/v1")
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", "test")
    yield
    await client.close()


@pytest.fixture(params=[DIRECT, LISTED, WRAPPED])
def model(request):
    return request.param


@pytest.fixture(params=FAMILIES, ids=lambda family: family.__name__)
async def strict(request, monkeypatch, settings):
    settings.MODEL_PROVIDERS |= {"hosted_vllm", "ollama_chat", "openrouter"}
    with StrictProvider(request.param()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        yield provider
        await client.close()


@pytest.fixture
async def reached(provider, monkeypatch, settings):
    """Let the models of all families reach the fake provider."""
    settings.MODEL_PROVIDERS |= set(MODELS)
    for name, value in environment_of(provider.url).items():
        monkeypatch.setenv(name, value)
    yield
    await client.close()
