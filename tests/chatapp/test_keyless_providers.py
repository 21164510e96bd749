"""A stored provider at its protocol's own address needs a key: what is said until it has one."""

import asyncio

import pytest
from django.urls import reverse

from agents.providers import directory
from agents.providers.models import Provider
from chatapp.llm.catalogue import key_missing
from chatapp.llm.errors import ErrorKind
from tests.agents.pages import change_page, submit
from tests.chatapp.inspector.pages import text_of
from tests.chatapp.llm.answering import answer
from tests.factories import make_agent

pytestmark = pytest.mark.django_db(transaction=True)
MODEL = "walk/gpt-5"
SAID = f"{MODEL} needs a key. Save it on the provider's page."
ADD = reverse("admin:agents_provider_add")
FORM = {"slug": "walk", "protocol": "openai", "address": "", "key": ""}
FORM |= {"enabled": "on", "reasoning_back": "on"}


@pytest.fixture
def walk():
    provider = Provider.objects.create(slug="walk", protocol="openai")
    directory.load()
    return provider


def messages_of(response):
    return [str(message) for message in response.context["messages"]]


@pytest.mark.parametrize(
    ("protocol", "address", "missing"),
    [
        ("openai", "", ""),
        ("openai", "https://api.openai.com/v1/", ""),
        ("anthropic", "", ""),
        pytest.param("openai", "https://llm.example.org/v1", None, id="a server of one's own"),
        ("ollama_chat", "https://llm.example.org", None),
    ],
)
def test_it_lacks_the_key_only_at_the_protocols_own_address(protocol, address, missing):
    Provider.objects.create(slug="walk", protocol=protocol, address=address)
    directory.load()

    assert key_missing(MODEL) == missing


def test_with_a_key_it_lacks_none(walk):
    walk.set_key("sk-stored-0123456789")
    walk.save()

    assert key_missing(MODEL) is None


def test_a_key_of_the_environment_counts_for_it(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    Provider.objects.create(slug="openai", protocol="openai")
    directory.load()

    assert key_missing("openai/gpt-4o") is None


def test_the_agents_form_warns_of_it(admin_client, walk):
    agent = make_agent()

    form = admin_client.get(change_page(agent)).context["adminform"].form
    typed = {field.html_name: field.value() or "" for field in form} | {"model": MODEL}
    preview = reverse("admin:agents_agenttemplate_preview", args=[agent.pk])
    assert f"{SAID} Providers and their keys" in text_of(admin_client.post(preview, typed))
    submit(admin_client, change_page(agent), model=MODEL)
    listed = admin_client.get(reverse("admin:agents_agenttemplate_changelist"))
    assert SAID in messages_of(listed)


def test_a_new_chat_says_it_beforehand(client, walk):
    make_agent(model=MODEL)

    assert f"{MODEL} needs a key." in client.get("/chat").text


def test_saving_it_warns(admin_client):
    warning = "api.openai.com needs a key: until one is saved here, walk can't answer."

    assert warning in messages_of(admin_client.post(ADD, FORM, follow=True))
    other = {**FORM, "slug": "lab", "key": "sk-other-9876543210"}
    told = messages_of(admin_client.post(ADD, other, follow=True))
    assert not any("needs a key" in said for said in told)


def test_nothing_is_sent_without_it(walk):
    _chunks, error = asyncio.run(answer(MODEL))

    assert (error.kind, error.message, error.left) == (ErrorKind.MISSING_KEY, SAID, False)
