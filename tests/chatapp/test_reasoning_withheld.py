"""A provider's setting keeps reasoning from a server that shows reasoning but refuses it back."""

import asyncio
from io import StringIO

import pytest
from django.core.management import call_command

from agents.providers import directory
from agents.providers.models import Provider
from agents.tools.hosts import parse_hosts
from chatapp.inspector.raw.request import rebuild
from chatapp.llm.catalogue import taking_of
from history.models import ContextPlan, Generation
from tests.chatapp.answered import answered
from tests.factories import make_agent
from tests.provider import LITELLM_WARNS, Call
from tests.strict.compatible import OneWay
from tests.strict.server import Said, StrictProvider, bodies

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
WHY = "not sent: “Send reasoning back” is off for the provider lab"


@pytest.fixture
def server(settings):
    settings.PROVIDER_HOSTS = parse_hosts(["127.0.0.0/8"])
    with StrictProvider(OneWay()) as running:
        calls = [Call("calculator", '{"expression": "6*7"}')]
        running.script(Said(thinking=["Six times ", "seven."], calls=calls), Said(text=["42"]))
        yield running


@pytest.fixture
def asked(server, admin_user):
    """Return a function that holds a turn with a tool, under the provider's given setting."""

    def ask(**provider):
        Provider.objects.create(slug="lab", address=f"{server.url}/v1", **provider)
        directory.load()
        make_agent(model=OneWay.model, tools=["calculator"])
        asyncio.run(answered(admin_user, "What is 6 * 7?"))
        return Generation.objects.get()

    return ask


def test_by_default_it_gets_its_reasoning_back(asked, server):
    assert asked().status == "failed"
    assert "reasoning_content" in server.refusals[0]


def test_with_the_setting_off_it_gets_none_and_the_plan_says_why(asked, server, client, admin_user):
    made = asked(reasoning_back=False)
    said = StringIO()
    call_command("context", "explain", str(made.conversation_id), stdout=said)
    client.force_login(admin_user)
    page = client.get(f"/chat/{made.conversation_id}/panel?turn=1").content.decode()

    assert (made.status, server.refusals) == ("done", [])
    first, second = bodies(server.received)
    assert [message["role"] for message in second["messages"]][-2:] == ["assistant", "tool"]
    assert "reasoning_content" not in repr((first, second))
    assert WHY in said.getvalue()
    assert WHY in page


@pytest.mark.parametrize("back", [True, False])
def test_what_was_sent_stays_what_was_sent(asked, back):
    asked(reasoning_back=back)
    Provider.objects.update(reasoning_back=not back)
    directory.load()

    record = ContextPlan.objects.order_by("step").last()
    assert rebuild(record).matches


def test_it_is_a_setting_of_the_providers_page_alone(server, settings):
    Provider.objects.create(slug="lab", address=f"{server.url}/v1", reasoning_back=False)
    directory.load()
    withheld = [taking_of(model, None).withheld_by for model in ("lab/a", "openai/a", "a")]
    settings.PROVIDERS = {"lab": "openai"}

    assert withheld == ["lab", "", ""]
    assert taking_of("lab/a", None).withheld_by == ""
