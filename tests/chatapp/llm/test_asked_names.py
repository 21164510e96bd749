"""Which models are asked through OpenAI's Responses API: the name and the address decide."""

import pytest

from agents.providers.models import Provider
from chatapp.llm.providers.connection import connection_of
from chatapp.llm.providers.responses import asked_name
from chatapp.llm.reasoning.families import RESPONSES, family_of
from chatapp.llm.request import LlmRequest

ELSEWHERE = "https://llm.example.org/v1"


@pytest.fixture(autouse=True)
def without_address(monkeypatch):
    for name in ("OPENAI_API_BASE", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        ("openai/gpt-5.4", "openai/responses/gpt-5.4"),
        ("openai/gpt-5.6-sol", "openai/responses/gpt-5.6-sol"),
        ("openai/gpt-6", "openai/responses/gpt-6"),
        ("gpt-5.5", "openai/responses/gpt-5.5"),
        ("azure/gpt-5.4", "azure/responses/gpt-5.4"),
        ("openai/o3-pro", "openai/responses/o3-pro"),
        ("openai/responses/gpt-5", "openai/responses/gpt-5"),
        ("azure/codex-mini", "azure/responses/codex-mini"),
        ("azure/eu/gpt-5-codex", "azure/responses/eu/gpt-5-codex"),
        ("azure/eu/gpt-5.4", "azure/responses/eu/gpt-5.4"),
        ("azure/gpt-35-turbo", "azure/gpt-35-turbo"),
        ("azure/gpt-41", "azure/gpt-41"),
        ("openai/gpt-5.3-chat-latest", "openai/gpt-5.3-chat-latest"),
        ("openai/gpt-5.4-chat-latest", "openai/gpt-5.4-chat-latest"),
        ("openai/gpt-5", "openai/gpt-5"),
        ("openai/gpt-4o", "openai/gpt-4o"),
        ("openai/gpt-5.12345", "openai/gpt-5.12345"),
        ("openrouter/openai/gpt-5.6", "openrouter/openai/gpt-5.6"),
        ("anthropic/claude-opus-5-5", "anthropic/claude-opus-5-5"),
        ("demo/mirror", "demo/mirror"),
    ],
)
def test_the_makers_newer_models_are(model, asked):
    assert asked_name(model) == asked
    assert (family_of(model) == RESPONSES) is ("responses/" in asked)
    assert LlmRequest(model, [{"role": "user", "content": "Hi"}]).body()["model"] == asked


def test_the_makers_servers_in_a_region_are_the_makers(monkeypatch):
    monkeypatch.setenv("OPENAI_API_BASE", "https://eu.api.openai.com/v1")

    assert asked_name("openai/gpt-5.6") == "openai/responses/gpt-5.6"


@pytest.mark.parametrize("variable", ["OPENAI_API_BASE", "OPENAI_BASE_URL"])
def test_another_server_is_asked_so_only_by_name(variable, monkeypatch):
    monkeypatch.setenv(variable, ELSEWHERE)

    assert asked_name("openai/gpt-5.6") == "openai/gpt-5.6"
    assert asked_name("openai/responses/gpt-5.6") == "openai/responses/gpt-5.6"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("address", "asked"),
    [("", "openai/responses/gpt-5.6"), (ELSEWHERE, "openai/gpt-5.6")],
)
def test_a_stored_provider_may_be_the_maker(address, asked):
    Provider.objects.create(slug="work", protocol="openai", address=address)

    assert asked_name("work/gpt-5.6") == asked
    assert connection_of("work/gpt-5.6").model == asked
    body = LlmRequest("work/gpt-5.6", [{"role": "user", "content": "Hi"}]).body()
    assert (body["model"], body.get("store")) == (asked, None if address else False)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["gpt-4o", "gpt-5.6"])
def test_a_name_without_provider_is_openais_even_if_that_is_stored(name):
    Provider.objects.create(slug="openai", protocol="openai")

    assert connection_of(name).model.removeprefix("openai/").removeprefix("responses/") == name


@pytest.mark.django_db(transaction=True)
def test_a_variable_that_only_litellm_reads_says_nothing_of_a_stored_provider(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.openai.com/v1")
    Provider.objects.create(slug="openai", protocol="openai", address=ELSEWHERE)

    assert asked_name("openai/gpt-5.6") == "openai/gpt-5.6"


def test_a_request_of_the_past_keeps_its_form():
    """A server that has since become the maker's was not asked through that API."""
    request = LlmRequest("openai/gpt-5.6", [{"role": "user", "content": "Hi"}], called="openai/x")

    assert request.body()["model"] == "openai/x"
    assert "store" not in request.body()
