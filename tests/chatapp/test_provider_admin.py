"""Providers in the admin: who may change them, how keys are kept, and how a model is tried."""

import re
from hashlib import sha256

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse

from agents.providers import directory
from agents.providers.models import Provider
from agents.tools.hosts import parse_hosts
from chatapp.limits import limits
from tests.chatapp.inspector.pages import text_of
from tests.factories import make_agent
from tests.provider import LITELLM_WARNS, Reply

pytestmark = [pytest.mark.django_db, *LITELLM_WARNS]
CANARY, OTHER = "sk-canary-0123456789", "sk-other-9876543210"
ADDRESS, ELSEWHERE = "https://93.184.216.34/v1", "https://93.184.216.35/v1"
FORM = {"slug": "work", "protocol": "openai", "address": ADDRESS, "key": CANARY}
FORM |= {"enabled": "on", "reasoning_back": "on"}
AGAIN = "Enter the key again: it isn't shown, and wasn't saved."
ADD = reverse("admin:agents_provider_add")
LIST = reverse("admin:agents_provider_changelist")


def page_of(provider, name="change"):
    return reverse(f"admin:agents_provider_{name}", args=[provider.pk])


@pytest.fixture
def work(settings):
    provider = Provider(slug="work", address=ADDRESS)
    provider.set_key(CANARY)
    provider.save()
    directory.load()
    return provider


def person(client, django_user_model, *permissions):
    user = django_user_model.objects.create_user("ada", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


def test_its_own_permission_is_enough_to_add_one(client, django_user_model):
    ada = person(client, django_user_model, "add_provider")

    assert ada.post(ADD, FORM).status_code == 302
    assert Provider.objects.get().key == CANARY


@pytest.mark.parametrize(
    ("slug", "said"),
    [
        ("demo", "The name demo is already taken. Choose another."),
        ("Work", "Use lower-case letters"),
    ],
)
def test_a_name_that_it_cannot_have_is_refused(admin_client, slug, said):
    response = admin_client.post(ADD, {**FORM, "slug": slug})

    (error,) = response.context["adminform"].form.errors["slug"]
    assert error.startswith(said)


@pytest.mark.parametrize("permissions", [(), ("change_agenttemplate",), ("view_provider",)])
def test_without_it_nobody_changes_or_tries_one(client, django_user_model, work, permissions):
    ada = person(client, django_user_model, *permissions)

    assert ada.post(ADD, FORM).status_code == 403
    assert ada.post(page_of(work), FORM).status_code == 403
    assert ada.post(page_of(work, "try"), {"model": "x"}).status_code == 403


def test_a_key_is_shown_on_no_page_and_in_no_record(admin_client, work):
    admin_client.post(page_of(work), {"address": "nonsense", "key": OTHER, "enabled": "on"})
    admin_client.post(page_of(work), {"address": ADDRESS, "key": OTHER, "enabled": "on"})
    pages = [LIST, page_of(work), page_of(work, "history"), page_of(work, "delete")]
    refused = admin_client.post(page_of(work), {"address": "nonsense", "key": OTHER})

    shown = "".join(admin_client.get(page).content.decode() for page in pages)
    shown += refused.content.decode() + str(list(LogEntry.objects.values()))

    assert Provider.objects.get().key == OTHER
    assert CANARY not in shown
    assert OTHER not in shown
    assert work.encrypted_key not in shown


def change(client, provider, **changes):
    form = {"address": ADDRESS, "enabled": "on", "key": ""} | changes
    response = client.post(page_of(provider), form)
    return response.context["adminform"].form.errors if response.status_code == 200 else {}


def test_an_empty_key_keeps_the_stored_one(admin_client, work):
    assert change(admin_client, work) == {}
    assert Provider.objects.get().key == CANARY


def test_a_new_address_needs_the_key_again(admin_client, work):
    """A person who may change the page, but does not know the key, cannot redirect the key."""
    errors = change(admin_client, work, address=ELSEWHERE)

    assert errors == {
        "key": ["Enter the key again: the stored one belongs to the earlier address."]
    }
    assert change(admin_client, work, address=ELSEWHERE, key=OTHER) == {}
    assert Provider.objects.get().key == OTHER


def test_only_a_stored_key_can_be_deleted(admin_client, work):
    new, stored = (admin_client.get(url).content.decode() for url in (ADD, page_of(work)))

    assert 'name="forget_key"' in stored
    assert 'name="forget_key"' not in new
    assert "must be listed in PROVIDER_HOSTS" in new


def test_a_key_can_be_deleted(admin_client, work):
    assert change(admin_client, work, address=ELSEWHERE, forget_key="on") == {}
    assert Provider.objects.get().encrypted_key == ""


def test_a_server_that_refuses_reasoning_back_can_be_said_to(admin_client):
    page = admin_client.get(ADD).content.decode()
    off = {name: value for name, value in FORM.items() if name != "reasoning_back"}
    wrong = {"slug": "claude", "protocol": "anthropic", "key": ""}
    refused = admin_client.post(ADD, off | wrong)
    admin_client.post(ADD, off)

    assert re.search(r'<input[^>]*name="reasoning_back"[^>]*checked', page)
    assert refused.context["adminform"].form.errors == {
        "reasoning_back": [
            "This can be off only for these protocols: “OpenAI, or compatible”, “vLLM”. Turn it on."
        ]
    }
    assert [(each.slug, each.reasoning_back) for each in Provider.objects.all()] == [
        ("work", False)
    ]


def test_slug_and_protocol_stay(admin_client, work):
    change(admin_client, work, slug="lab", protocol="mistral")

    stored = Provider.objects.get()
    assert (stored.slug, stored.protocol, stored.key) == ("work", "openai", CANARY)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"address": "http://127.0.0.1:11434"}, "address"),
        ({"protocol": "ollama_chat", "address": ""}, "address"),
        ({"slug": "anthropic"}, "slug"),
        ({"slug": "demo"}, "slug"),
        ({"slug": "Work"}, "slug"),
    ],
    ids=str,
)
def test_a_mistake_is_shown_at_its_field(admin_client, changes, field):
    response = admin_client.post(ADD, FORM | changes | {"key": ""})

    assert list(response.context["adminform"].form.errors) == [field]


def faults(client, **typed):
    form = client.post(ADD, FORM | typed).context["adminform"].form
    return {name: list(said) for name, said in form.errors.items()}


def test_every_field_in_which_something_is_wrong_says_so(admin_client):
    wrong = {"slug": "My Work!", "address": "not a url"}
    found = faults(admin_client, protocol="anthropic", reasoning_back="", **wrong)

    assert list(found) == ["slug", "reasoning_back", "address", "key"]
    assert found["address"] == ["The address must start with http:// or https://."]
    assert found["key"] == [AGAIN]


@pytest.mark.parametrize(("key", "lost"), [("", {}), (CANARY, {"key": [AGAIN]})])
def test_a_fault_is_said_once_and_a_key_is_not_lost_in_silence(admin_client, key, lost):
    assert faults(admin_client, slug="", key=key) == {"slug": ["This field is required."]} | lost


def test_the_page_says_when_the_environment_overrides_it(admin_client, work, settings, monkeypatch):
    settings.PROVIDERS = {"work": "openai"}
    monkeypatch.setenv("WORK_API_KEY", "sk-environment")

    page = admin_client.get(page_of(work)).content.decode()

    assert "overridden by PROVIDERS, WORK_API_KEY in the environment" in page
    assert "sk-environment" not in page
    assert "those variables are removed. A trial uses them, too." in page
    trial = text_of(admin_client.get(page_of(work, "try")))
    assert "The trial goes where PROVIDERS, WORK_API_KEY say" in trial
    assert admin_client.get(LIST).context["named"] == [("work", "openai")]


def test_the_pages_name_the_agents_that_would_lose_their_model(admin_client, work, settings):
    settings.DEFAULT_MODEL = "demo/mirror"
    unused = [text_of(admin_client.get(url)) for url in (LIST, page_of(work))]
    make_agent("one", name="One", model="work/gpt-4o")
    make_agent("two", name="Two", model="", allowed_models=["work/gpt-5"])
    make_agent("three", name="Three", model="workshop/gpt-4o")
    used = [text_of(admin_client.get(url)) for url in (LIST, page_of(work))]

    for text in unused + used:
        assert "in use" not in text.lower()
    assert "Agents none" in unused[1]
    for text in used:
        assert "One, Two" in text
        assert "Three" not in text


@pytest.fixture
def tried(admin_client, work, provider, settings, monkeypatch):
    """Return a function that posts the form for trying a model, with the fake provider."""
    settings.PROVIDER_HOSTS = parse_hosts(["127.0.0.0/8"])
    work.address = f"{provider.url}/v1"
    work.set_key(CANARY)
    work.save()
    directory.load()

    def post(model="fake"):
        return admin_client.post(page_of(work, "try"), {"model": model})

    return post


@pytest.mark.django_db(transaction=True)
def test_a_trial_shows_what_came_back_and_when(tried, provider):
    provider.script(Reply(text=["rea", "dy"]))

    response = tried()

    trial = response.context["trial"]
    assert trial.text == "ready"
    assert f"It answered in {trial.milliseconds} ms" in response.content.decode()
    assert len(provider.requests) == 1
    assert provider.authorizations == [f"Bearer {CANARY}"]
    text = text_of(response)
    assert f"POST {provider.url}/v1/chat/completions" in text
    assert sha256(provider.received[0].body).hexdigest() in text
    assert "model openai/fake was sent as fake." in text
    assert CANARY not in text


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("status", [401, 404, 429, 500])
def test_a_trial_shows_a_refusal_in_a_sentence_once(tried, provider, status):
    provider.script(Reply(status=status, body=f'{{"error": {{"message": "{CANARY}"}}}}'))

    response = tried()

    assert response.context["trial"].refusal.endswith(".")
    assert CANARY not in response.content.decode()
    assert len(provider.requests) == 1


@pytest.mark.django_db(transaction=True)
def test_trials_are_limited(tried, provider, monkeypatch):
    monkeypatch.setattr(limits, "PROVIDER_TRIES", 1)

    assert [tried().status_code for _ in range(2)] == [200, 429]
    assert len(provider.requests) == 1
