"""Several providers of one protocol, each with its own address and key."""

import pytest

from chatapp.llm import client
from chatapp.llm.catalogue import fault, key_missing, limits, prices
from chatapp.llm.chunks import TextDelta
from chatapp.llm.providers.connection import NO_KEY, Connection, connection_of
from tests.chatapp.llm.answering import answer
from tests.provider import LITELLM_WARNS, Provider

pytestmark = LITELLM_WARNS
WORK, LAB = "work/gpt-4o", "lab/gpt-4o"


@pytest.fixture
async def two_of_one_protocol(settings, monkeypatch):
    settings.PROVIDERS = {"work": "openai", "lab": "openai"}
    settings.MODEL_PROVIDERS |= {"work", "lab"}
    with Provider() as work, Provider() as lab:
        for name, provider in {"WORK": work, "LAB": lab}.items():
            monkeypatch.setenv(f"{name}_API_BASE", f"{provider.url}/v1")
            monkeypatch.setenv(f"{name}_API_KEY", f"sk-{name.lower()}")
        yield work, lab
        await client.close()


async def test_each_is_asked_at_its_own_address_with_its_own_key(two_of_one_protocol):
    work, lab = two_of_one_protocol

    for model in (WORK, LAB, WORK):
        chunks, error = await answer(model)
        assert error is None
        assert [chunk.text for chunk in chunks if isinstance(chunk, TextDelta)]

    assert work.authorizations == ["Bearer sk-work"] * 2
    assert lab.authorizations == ["Bearer sk-lab"]
    assert [body["model"] for body in work.requests + lab.requests] == ["gpt-4o"] * 3


async def test_a_provider_without_a_key_is_not_sent_another_ones(two_of_one_protocol, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    monkeypatch.delenv("LAB_API_KEY")

    await answer(LAB)

    assert two_of_one_protocol[1].authorizations == [f"Bearer {NO_KEY}"]


def test_its_models_are_known_as_those_of_its_protocol(settings):
    settings.PROVIDERS = {"work": "openai"}
    settings.MODEL_PROVIDERS |= {"work"}

    assert limits(WORK) == limits("openai/gpt-4o")
    assert prices(WORK) == prices("openai/gpt-4o")
    assert fault(WORK) == ""
    assert key_missing(WORK) == "WORK_API_KEY"


def test_without_an_address_it_is_at_its_makers(settings, monkeypatch):
    """A provider never gets the address of the environment's provider of the same protocol."""
    settings.PROVIDERS = {"work": "openai"}
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9/v1")

    assert connection_of(WORK) == Connection("openai/gpt-4o", "https://api.openai.com/v1", NO_KEY)


def test_no_text_of_a_connection_contains_its_key(settings, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")

    assert connection_of("openai/gpt-4o").key == "sk-canary"
    assert "canary" not in repr(connection_of("openai/gpt-4o"))
