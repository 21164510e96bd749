"""All providers that litellm knows are asked through our recorder, except those in a list."""

import asyncio
import re
import socket
from pathlib import Path

import httpx
import pytest
from django.conf import settings

from chatapp.llm import client
from chatapp.llm.litellm_setup import UNRECORDED, litellm
from chatapp.llm.wire import KEY, RECORDER, recorded
from tests.chatapp.llm.families import SECRET
from tests.provider import LITELLM_WARNS

pytestmark = LITELLM_WARNS
HERE = "127.0.0.1"
MODELS = {
    "bedrock": "bedrock/anthropic.claude-3-sonnet-20240229-v1:0",
    "clarifai": "clarifai/openai.chat-completion.gpt-4o",
    "ragflow": "ragflow/chat/1/some-model",
}
MORE = ["bedrock/converse/amazon.nova-lite-v1:0", "openai/responses/gpt-4o", "openai/gpt-5-pro"]
WITHOUT_MORE = {  # These need an account, a token or a library to send anything.
    *("chatgpt", "gdc", "gigachat", "github_copilot", "oci", "predibase", "sap", "triton"),
    *("vertex_ai", "vertex_ai_beta", "vllm", "watsonx", "watsonx_text"),
    "fal_ai",  # It can't stream.
}


@pytest.fixture
async def way_of(monkeypatch):
    """Return a function that calls a model, and says how its request would have left. No request
    leaves the process.
    """
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("AWS_REGION_NAME", "eu-west-1")
    past = []

    def refuse(host, *_more, **_options):
        past.append(host)
        raise socket.gaierror

    async def refuse_soon(host, *_more, **_options):
        refuse(host)

    refused = httpx.MockTransport(lambda _request: httpx.Response(400, json={"error": {}}))
    monkeypatch.setattr(RECORDER, "_make", lambda: refused)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", refuse_soon)
    monkeypatch.setattr(socket.socket, "connect", lambda _self, address: refuse(address[0]))
    await RECORDER.close()

    async def call(model):
        past.clear()
        sent = []
        with recorded(sent):
            error = await _error_of(model)
        assert SECRET not in repr(sent)
        if sent:
            return "recorded"
        return "unrecorded" if HERE in past else error

    yield call
    await client.close()


async def _error_of(model):
    messages = [{"role": "user", "content": "Hello"}]
    given = {"api_key": SECRET, "api_base": f"http://{HERE}:9/v1", "stream": True}
    try:
        await anext(aiter(await litellm().acompletion(model, messages, **given)))
    except Exception as error:
        return type(error).__name__
    return ""


async def test_only_listed_providers_are_not_recorded(way_of):
    names = sorted(provider.value for provider in litellm().LlmProviders)

    ways = {name: await way_of(MODELS.get(name, f"{name}/some-model")) for name in names}
    ways |= {model: await way_of(model) for model in MORE}

    chatting = {name: way for name, way in ways.items() if way != "LiteLLMUnknownProvider"}
    assert {n for n, way in chatting.items() if way == "unrecorded"} == UNRECORDED
    rest = {n for n, way in chatting.items() if way not in {"recorded", "unrecorded"}}
    assert rest == WITHOUT_MORE
    assert {"cohere", "cloudflare", "sagemaker", "bedrock", *MORE} <= chatting.keys() - rest


def test_the_documentation_lists_them():
    text = Path(settings.BASE_DIR, "docs", "providers.md").read_text()
    (listed,) = re.findall(r"These are not recorded: (.*?)\.", text, re.DOTALL)

    assert set(re.findall(r"`(\w+)`", listed)) == UNRECORDED


async def test_no_form_is_recorded():
    """Libraries fetch tokens by posting forms."""
    accept = httpx.MockTransport(lambda _request: httpx.Response(204))
    sent = []

    with recorded(sent):
        async with httpx.AsyncClient(transport=type(RECORDER)(lambda: accept)) as asking:
            await asking.post("http://a.example/token", data={"apikey": SECRET})
            await asking.post("http://a.example/", json={}, headers={"Authorization": "Basic abc"})

    assert [request.headers["authorization"] for request in sent] == [f"Basic {KEY}"]
