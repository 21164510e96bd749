"""A plan's hash is that of the request given to litellm, whoever named the provider."""

import asyncio

import pytest

from agents.providers import directory
from agents.providers.models import Provider
from agents.tools.hosts import parse_hosts
from chatapp.inspector.raw.request import rebuild
from chatapp.inspector.raw.wire import wires_for
from chatapp.llm.litellm_internals import CHAT_ONLY, ONCE
from chatapp.llm.litellm_setup import litellm
from history.core.plan.neutral_request import request_hash
from history.models import ContextPlan
from history.services.explain.raw.wire import OPERATOR
from tests.chatapp.answered import answered
from tests.factories import make_agent
from tests.provider import LITELLM_WARNS, Reply

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
CONNECTION = frozenset({"api_base", "api_key", *ONCE, *CHAT_ONLY})


@pytest.fixture
def stored(provider, settings):
    settings.PROVIDER_HOSTS = parse_hosts(["127.0.0.0/8"])
    row = Provider(slug="work", protocol="openai", address=f"{provider.url}/v1")
    row.set_key("sk-stored-0123456789")
    row.save()
    directory.load()


@pytest.fixture
def of_environment(provider, settings, monkeypatch):
    settings.PROVIDERS = {"work": "openai"}
    settings.MODEL_PROVIDERS |= {"work"}
    monkeypatch.setenv("WORK_API_BASE", f"{provider.url}/v1")


@pytest.fixture
def handed(monkeypatch):
    """Record what litellm is given, without address and key; litellm is called nevertheless."""
    calls, ask = [], litellm().acompletion

    async def noting(**call):
        calls.append({name: value for name, value in call.items() if name not in CONNECTION})
        return await ask(**call)

    monkeypatch.setattr(litellm(), "acompletion", noting)
    return calls


@pytest.mark.parametrize("way", ["stored", "of_environment"])
def test_the_hash_is_that_of_what_litellm_is_handed(
    request, admin_user, provider, handed, settings, way
):
    request.getfixturevalue(way)
    make_agent(model="work/gpt-4o", temperature=0.3)
    provider.script(Reply(text=["Hello"]))
    asyncio.run(answered(admin_user, "Hello"))
    Provider.objects.all().delete()  # The plan keeps the name that was used.
    directory.load()
    settings.PROVIDERS = {}

    record = ContextPlan.objects.get()

    assert (record.parameters["model"], record.parameters["called"]) == (
        "work/gpt-4o",
        "openai/gpt-4o",
    )
    assert [request_hash(body) for body in handed] == [record.request_hash]
    assert rebuild(record).matches
    (wire,) = wires_for(record, OPERATOR)
    assert wire.sentences == ["model openai/gpt-4o was sent as gpt-4o."]
