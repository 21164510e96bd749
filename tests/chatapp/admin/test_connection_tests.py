"""The button "Test the connection" of a provider's form: what it asks, finds, says and hides."""

import json
import logging

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.urls import reverse
from django.views.debug import ExceptionReporter

from agents.providers import addresses
from agents.providers.models import Provider
from agents.tools.hosts import parse_hosts
from chatapp.limits import limits
from chatapp.llm.providers import listing
from tests.patience import PATIENCE, seconds
from tests.ports import free_port
from tests.provider import Reply

pytestmark = pytest.mark.django_db(transaction=True)
CANARY, OTHER = "sk-canary-0123456789", "sk-other-9876543210"
NEW = reverse("admin:agents_provider_test")
OPENAI = json.dumps({"data": [{"id": "gpt-5"}, {"id": "gpt-5-mini"}]})
OLLAMA = json.dumps({"models": [{"name": "llama3:8b"}]})
GEMINI = json.dumps({"models": [{"name": "models/gemini-2.5-pro"}]})
TOGETHER = json.dumps([{"id": "a/b"}])


@pytest.fixture(autouse=True)
def _loopback(settings):
    settings.PROVIDER_HOSTS = parse_hosts(["127.0.0.0/8"])


def typed(address, **more):
    return {"slug": "work", "protocol": "openai", "address": address, "key": CANARY} | more


@pytest.fixture
def found(admin_client, provider):
    """Return a function that tests the fake provider as typed, and returns what was found."""

    def post(*replies, url=NEW, **more):
        provider.script(*replies)
        response = admin_client.post(url, typed(**{"address": provider.url} | more))
        assert response.status_code == 200
        assert CANARY not in response.content.decode()
        return response.context["listing"]

    return post


@pytest.mark.parametrize(
    ("protocol", "body", "path", "header", "models"),
    [
        ("openai", OPENAI, "/models", ("authorization", f"Bearer {CANARY}"), "gpt-5 gpt-5-mini"),
        ("together_ai", TOGETHER, "/models", ("authorization", f"Bearer {CANARY}"), "a/b"),
        ("anthropic", OPENAI, "/v1/models?limit=1000", ("x-api-key", CANARY), "gpt-5 gpt-5-mini"),
        ("gemini", GEMINI, "/models?pageSize=1000", ("x-goog-api-key", CANARY), "gemini-2.5-pro"),
        ("ollama_chat", OLLAMA, "/api/tags", ("authorization", f"Bearer {CANARY}"), "llama3:8b"),
    ],
)
def test_models_are_listed_by_every_protocol(found, provider, protocol, body, path, header, models):
    result = found(Reply(body=body), protocol=protocol)

    (received,) = provider.received
    assert (received.path, received.headers[header[0]]) == (path, header[1])
    assert result.models == tuple(models.split())
    assert f"and offers {len(result.models)} model" in result.sentence
    assert not Provider.objects.exists()


@pytest.mark.parametrize(
    ("reply", "key", "said"),
    [
        (Reply(status=401), CANARY, "was reached, but refused the key."),
        (Reply(status=403), "", "was reached, but wants a key."),
        (Reply(status=404), CANARY, "sent no list of models (status 404)"),
        (Reply(status=500), CANARY, "sent no list of models (status 500)"),
        (Reply(body="<h1>Welcome</h1>"), CANARY, "sent no list of models (status 200)"),
        (Reply(body="[" * 100_000), CANARY, "sent no list of models (status 200)"),
        (Reply(body='{"data": 7}'), CANARY, "sent no list of models (status 200)"),
        (Reply(body='{"data": [7, {"id": 7}]}'), CANARY, "offers 0 models"),
        (Reply(status=302, headers={"Location": "http://10.0.0.1/"}), CANARY, "redirects"),
        (Reply(), CANARY + "\N{EURO SIGN}", "characters that no key has"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_in_a_sentence(found, reply, key, said):
    result = found(reply, key=key)

    assert said in result.sentence
    assert result.models == ()


UNASKED = "Whether the key is accepted shows only when a model is asked."
UNSENT = "No key was sent: whether one is needed shows only when a model is asked."


@pytest.mark.parametrize(
    ("protocol", "key", "said"),
    [
        ("openai", CANARY, ""),
        ("openai", "", UNSENT),
        ("openrouter", CANARY, UNASKED),
        ("openrouter", "", UNSENT),
        ("ollama_chat", CANARY, UNASKED),
        ("hosted_vllm", "", UNSENT),
    ],
)
def test_a_list_that_needs_no_key_says_nothing_about_the_key(found, protocol, key, said):
    result = found(Reply(body=OPENAI), protocol=protocol, key=key)

    assert result.is_good
    assert result.sentence.partition("offers 2 models.")[2].strip() == said


@pytest.mark.parametrize("end", ["", "/", "/beta", "/beta/"])
def test_deepseeks_list_is_beside_its_beta_address(found, provider, end):
    assert found(Reply(body=OPENAI), protocol="deepseek", address=provider.url + end).is_good

    assert [received.path for received in provider.received] == ["/models"]


def test_a_server_that_never_answers_is_left(found, provider, monkeypatch):
    monkeypatch.setattr(listing, "PATIENCE", seconds(1))

    assert "didn't answer within" in found(Reply(hang_after=0)).sentence
    assert provider.asked.is_set()
    assert provider.closed.wait(PATIENCE)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://10.0.0.1:11434", "add 10.0.0.1 to PROVIDER_HOSTS"),
        ("http://93.184.216.34", "Use https://"),
        ("ftp://93.184.216.34", "must start with http:// or https://"),
        ("https://ada:secret@93.184.216.34", "may not contain a user"),
    ],
)
@pytest.mark.parametrize("slug", ["", "work"])
def test_an_address_that_may_not_be_asked_is_refused_with_the_way_out(found, address, said, slug):
    assert said in found(address=address, slug=slug).sentence


def test_an_address_where_nobody_listens_is_said(found):
    result = found(address=f"http://127.0.0.1:{free_port()}")

    assert "can't be reached. Check the address" in result.sentence


@pytest.mark.parametrize("host", ["x..example", f"{'x' * 64}.example"])
def test_a_name_that_no_host_can_have_is_said(found, host):
    assert "can't be reached" in found(address=f"https://{host}/v1").sentence


def test_all_models_are_counted_and_the_first_are_listed(found, monkeypatch):
    monkeypatch.setattr(listing, "MOST_MODELS", 1)

    result = found(Reply(body=OPENAI))

    assert result.models == ("gpt-5",)
    assert "offers 2 models" in result.sentence


@pytest.mark.parametrize("broken", ["GuardedTransport", "_answer", "_names", "masked"])
def test_no_report_of_a_failure_shows_a_key(admin_client, provider, monkeypatch, broken):
    monkeypatch.setattr(listing, broken, None)
    provider.script(Reply(body=OPENAI))
    admin_client.raise_request_exception = False

    failed = admin_client.post(NEW, typed(provider.url))
    report = ExceptionReporter(failed.wsgi_request, *failed.exc_info).get_traceback_html()

    assert failed.status_code == 500
    assert CANARY not in report


@pytest.fixture
def work(provider):
    stored = Provider(slug="work", address=provider.url)
    stored.set_key(CANARY)
    stored.save()
    return stored


def of(stored):
    return reverse("admin:agents_provider_test", args=[stored.pk])


@pytest.mark.parametrize(("typed_key", "sent"), [("", CANARY), (OTHER, OTHER)])
def test_the_stored_key_is_used_unless_another_is_typed(found, provider, work, typed_key, sent):
    assert found(Reply(body=OPENAI), url=of(work), key=typed_key).is_good

    assert provider.authorizations == [f"Bearer {sent}"]
    assert Provider.objects.get().key == CANARY


def test_the_stored_key_is_sent_nowhere_else(found, provider, work):
    elsewhere = f"{provider.url}/elsewhere"

    refused = found(url=of(work), key="", address=elsewhere)
    found(Reply(body=OPENAI), url=of(work), key="", forget_key="on")

    assert refused.sentence.startswith("Enter the key again")
    assert ["authorization" in one.headers for one in provider.received] == [False]


def test_somebody_elses_change_is_no_matter_of_a_test(admin_client, found, work):
    change = reverse("admin:agents_provider_change", args=[work.pk])
    opened = admin_client.get(change).context["adminform"].form.initial["seen"]
    Provider.objects.update(enabled=False)

    assert found(Reply(body=OPENAI), url=of(work), seen=opened).is_good


def test_a_provider_that_is_gone_is_not_found(admin_client, work):
    gone = of(work)
    work.delete()

    assert admin_client.post(gone, typed(work.address)).status_code == 404


def test_no_answer_shows_or_logs_a_key(found, caplog):
    caplog.set_level(logging.DEBUG)
    quoting = json.dumps({"data": [{"id": f"model-{CANARY}"}, {"id": "<script>"}]})

    result = found(Reply(body=quoting))

    assert result.models == ("<script>", "model-[key]")
    assert CANARY not in caplog.text


def test_only_who_may_change_providers_tests_one_and_only_by_a_post(
    client, django_user_model, work, provider
):
    ada = django_user_model.objects.create_user("ada", password="x", is_staff=True)
    ada.user_permissions.set(Permission.objects.filter(codename="view_provider"))
    client.force_login(ada)
    asked = [client.post(url, typed(provider.url)).status_code for url in (NEW, of(work))]
    shown = client.get(reverse("admin:agents_provider_change", args=[work.pk])).content.decode()
    ada.user_permissions.set(Permission.objects.filter(codename="change_provider"))

    assert asked == [403, 403]
    assert "data-test=" not in shown
    assert client.get(of(work)).status_code == 403
    assert client.post(NEW, typed(provider.url)).status_code == 403
    assert client.post(of(work), typed(provider.url)).status_code == 200


def test_tests_are_limited(admin_client, provider, monkeypatch):
    monkeypatch.setattr(limits, "PROVIDER_TRIES", 1)

    first, second = (admin_client.post(NEW, typed(provider.url)) for _ in range(2))

    assert (first.status_code, second.status_code) == (200, 429)
    assert int(second.headers["Retry-After"]) > 0
    assert "Try again in" in second.content.decode()
    assert len(provider.received) == 1


def test_nothing_is_looked_up_beyond_the_limit(admin_client, provider, monkeypatch):
    def looks_up(*_address, **_options):
        pytest.fail("a name was looked up")

    monkeypatch.setattr(limits, "PROVIDER_TRIES", 1)
    admin_client.post(NEW, typed(provider.url))
    monkeypatch.setattr(addresses.socket, "getaddrinfo", looks_up)

    assert admin_client.post(NEW, typed("https://host.example")).status_code == 429


def test_the_host_is_looked_up_by_the_form_and_by_the_request_while_no_connection_is_held(
    found, monkeypatch
):
    look_up, held = addresses.socket.getaddrinfo, []

    def looks_up(host, *args, **options):
        if host == "host.example":
            held.append(connection.vendor != "sqlite" and connection.connection is not None)
            raise OSError
        return look_up(host, *args, **options)

    monkeypatch.setattr(addresses.socket, "getaddrinfo", looks_up)

    assert "can't be reached" in found(address="https://host.example").sentence
    assert held == [False, False]


def test_a_form_that_was_refused_says_still_that_nothing_is_saved(admin_client):
    add = reverse("admin:agents_provider_add")
    refused = admin_client.post(add, typed("http://10.0.0.1")).content.decode()

    assert "not saved yet" in refused
    assert "10.0.0.1 to PROVIDER_HOSTS" in refused
