"""Calls to providers that an administrator has stored."""

import asyncio

import pytest

from agents.providers import directory
from agents.providers.models import Provider
from agents.providers.protocols import PROTOCOLS
from agents.tools.hosts import parse_hosts
from chatapp.databases.threads import in_database
from chatapp.llm import client
from chatapp.llm.catalogue import fault, limits
from chatapp.llm.chunks import Finish
from chatapp.llm.errors import ErrorKind
from tests.chatapp.llm.answering import answer
from tests.provider import LITELLM_WARNS, Reply
from tests.provider import Provider as Server

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
CANARY = "sk-canary-0123456789"


@pytest.fixture
async def servers(settings):
    settings.PROVIDER_HOSTS = parse_hosts(["127.0.0.0/8"])
    with Server() as one, Server() as other:
        yield one, other
        await client.close()


def _store(slug, protocol, address, **fields):
    provider = Provider(slug=slug, protocol=protocol, address=address, **fields)
    provider.set_key(CANARY)
    provider.full_clean()
    provider.save()
    return provider


async def store(slug, server, protocol="openai", host="127.0.0.1", **fields):
    port = server.url.rpartition(":")[2]
    path = "/v1" if protocol == "openai" else ""
    address = f"http://{host}:{port}{path}"
    return await in_database(_store, slug, protocol, address, **fields)


@pytest.mark.parametrize("protocol", ["openai", "hosted_vllm", "mistral", "groq", "xai"])
async def test_a_stored_provider_is_asked_with_its_own_key(servers, protocol):
    await store("work", servers[0], protocol)
    await store("lab", servers[1], protocol)

    chunks, error = await answer("work/some-model")

    assert error is None
    assert isinstance(chunks[-1], Finish)
    assert [one.headers["authorization"] for one in servers[0].received] == [f"Bearer {CANARY}"]
    assert servers[0].requests[0]["model"] == "some-model"
    assert servers[1].requests == []


async def test_the_environment_outranks_it(servers, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")
    monkeypatch.setenv("OPENAI_API_BASE", f"{servers[1].url}/v1")
    await store("openai", servers[0])

    await answer("openai/gpt-4o")

    assert servers[0].requests == []
    assert servers[1].received[0].headers["authorization"] == "Bearer sk-environment"


async def test_a_redirect_is_not_followed(servers):
    away = Reply(status=307, headers={"Location": f"{servers[1].url}/v1/chat/completions"})
    servers[0].script(away)
    await store("work", servers[0])

    _, error = await answer("work/some-model")

    assert (error.kind, error.left, servers[1].requests) == (ErrorKind.FORBIDDEN, True, [])
    assert error.message == "127.0.0.1 redirects elsewhere. Enter its final address."


async def test_the_name_is_looked_up_again_for_each_call(servers, settings):
    """A host's name that was public when entered may lead to this machine later. Then nothing is
    sent, whichever of litellm's ways to send requests is used.
    """
    for protocol in PROTOCOLS:
        await store(f"work-{protocol}", servers[0], protocol)
    settings.PROVIDER_HOSTS = parse_hosts([])
    models = [f"work-{protocol}/some-model" for protocol in PROTOCOLS]
    models += [f"work-openai/{name}" for name in ("gpt-5-pro", "responses/gpt-4o")]

    errors = [(await answer(model))[1] for model in models]

    assert {(error.kind, error.left) for error in errors} == {(ErrorKind.FORBIDDEN, False)}
    assert servers[0].received == []
    assert "add 127.0.0.1 to PROVIDER_HOSTS" in errors[0].message


async def test_the_next_address_of_a_name_is_tried(servers, monkeypatch):
    port = int(servers[0].url.rpartition(":")[2])
    loop = asyncio.get_running_loop()
    look_up = loop.getaddrinfo

    async def twice(host, *more, **options):  # Adds a first address, where nothing listens.
        found = await look_up("127.0.0.1", *more, **options)
        return [(*found[0][:4], ("127.0.0.99", port)), *found]

    monkeypatch.setattr(loop, "getaddrinfo", twice)
    await store("work", servers[0])

    _, error = await answer("work/some-model")

    assert (error, len(servers[0].received)) == (None, 1)


async def test_a_key_that_cannot_be_read_is_explained(servers, settings):
    await store("work", servers[0])
    settings.SECRET_KEY = "another secret of some length, 1234"

    _, error = await answer("work/some-model")

    assert error.kind == ErrorKind.MISSING_KEY
    assert error.message.startswith("The key of the provider work can't be decrypted.")


async def test_a_disabled_provider_is_not_asked(servers):
    await store("work", servers[0], enabled=False)

    assert fault("work/some-model") == "the provider work is disabled"
    _, error = await answer("work/some-model")
    assert (error.kind, servers[0].requests) == (ErrorKind.FORBIDDEN, [])


async def test_a_list_of_providers_in_the_environment_outranks_the_page(servers, settings):
    await store("work", servers[0])
    settings.ONLY_LISTED_PROVIDERS = True

    assert fault("work/some-model") == (
        "the provider work is not allowed: add it to MODEL_PROVIDERS, and restart"
    )


async def test_its_models_are_known_as_those_of_its_protocol(servers):
    await store("work", servers[0])

    assert limits("work/gpt-4o") == limits("openai/gpt-4o")
    await in_database(Provider.objects.all().delete)
    assert directory.directory().protocols == {}
