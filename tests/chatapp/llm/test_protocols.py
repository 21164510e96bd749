"""The protocols that a provider may speak: each sends to its maker's address, with its own key."""

import httpx
import pytest

from agents.providers.protocols import PROTOCOLS, variable_prefix
from chatapp.llm import client
from chatapp.llm.retries import Attempts
from chatapp.llm.wire import RECORDER
from tests.chatapp.llm.answering import answer
from tests.provider import LITELLM_WARNS

pytestmark = LITELLM_WARNS
OWN, CANARY = "sk-own-0123456789", "sk-canary-0123456789"
MAKERS = [name for name, protocol in PROTOCOLS.items() if protocol.address]


@pytest.fixture
async def sent(monkeypatch, settings):
    """Return a function that calls a model and returns the request. The request is refused here,
    and never leaves the process.
    """
    settings.PROVIDERS = {f"my-{name}": name for name in PROTOCOLS}
    settings.MODEL_PROVIDERS |= {*PROTOCOLS, *settings.PROVIDERS}
    requests = []

    def refuse(request):
        requests.append(request)
        return httpx.Response(400, json={"error": {"message": "no"}})

    monkeypatch.setattr(RECORDER, "_make", lambda: httpx.MockTransport(refuse))
    await RECORDER.close()

    async def call(model):
        requests.clear()
        await answer(model, attempts=Attempts(most=1))
        (request,) = requests
        return request

    yield call
    await client.close()


@pytest.mark.parametrize("protocol", MAKERS)
async def test_without_an_address_a_provider_is_where_litellm_finds_its_maker(
    sent, monkeypatch, protocol
):
    monkeypatch.delenv(f"{variable_prefix(protocol)}_API_BASE", raising=False)
    monkeypatch.setenv(f"{variable_prefix(protocol)}_API_KEY", OWN)
    # litellm uses v1alpha for newer Gemini models, so this one is older.
    model = "gemini-2.5-flash" if protocol == "gemini" else "some-model"
    by_itself = await sent(f"{protocol}/{model}")

    ours = await sent(f"my-{protocol}/{model}")

    assert str(ours.url).split("?")[0] == str(by_itself.url).split("?")[0]


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_no_provider_gets_the_key_of_another(sent, monkeypatch, protocol):
    monkeypatch.setenv(f"{variable_prefix(protocol)}_API_KEY", CANARY)
    monkeypatch.setenv(f"{variable_prefix(f'my-{protocol}')}_API_BASE", "http://127.0.0.1:9/v1")
    without = await sent(f"my-{protocol}/some-model")
    monkeypatch.setenv(f"{variable_prefix(f'my-{protocol}')}_API_KEY", OWN)
    with_own = await sent(f"my-{protocol}/some-model")

    assert CANARY not in f"{without.url} {without.headers.raw}"
    assert CANARY not in f"{with_own.url} {with_own.headers.raw}"
    assert OWN in f"{with_own.url} {with_own.headers.raw}"
    assert {with_own.url.host, without.url.host} == {"127.0.0.1"}
