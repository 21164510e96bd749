"""Two roads to the fake provider."""

import pytest

from chatapp.llm import client
from tests.chatapp.llm.answering import DIRECT, WRAPPED


@pytest.fixture
async def both_roads(provider, monkeypatch, settings):
    """A second way to the provider; and no connection outlives its test's event loop."""
    settings.MODEL_PROVIDERS |= {"hosted_vllm"}
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", f"{provider.url}/v1")
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", "test")
    yield
    await client.close()


@pytest.fixture(params=[DIRECT, WRAPPED])
def model(request):
    return request.param
