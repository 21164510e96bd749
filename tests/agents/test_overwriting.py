"""Two administrators open the same page: the second to save gets a warning, and loses nothing."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from agents.mcp.models import McpServer
from agents.models import AgentTemplate, SiteDefaults
from agents.networks.models import Network
from tests.agents.pages import change_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def two():
    """Return the clients of two superusers."""
    found = []
    for name in ("ada", "bob"):
        client = Client()
        client.force_login(User.objects.create_superuser(name))
        found.append(client)
    return found


def opened(client, url):
    """Open the page, and return the values that its form would post."""
    form = client.get(url).context["adminform"].form
    shown = {field.html_name: field.value() for field in form}
    return {name: value for name, value in shown.items() if value not in (None, False)}


def text_of(response):
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", html.unescape(text))


def network():
    AgentTemplate.objects.create(slug="a", name="A")
    return Network.objects.create(slug="team", name="Team", entry="a", members=["a"])


KINDS = {
    "template": (lambda: AgentTemplate.objects.create(slug="a", name="A"), "description"),
    "network": (network, "description"),
    "MCP server": (
        lambda: McpServer.objects.create(slug="files", name="Files", command="x"),
        "name",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_saving_an_older_version_is_refused_and_names_who_changed_what(two, kind):
    make, field = KINDS[kind]
    row = make()
    ada, bob = two
    hers, his = (opened(client, change_page(row)) for client in two)
    assert ada.post(change_page(row), hers | {field: "Hers"}).status_code == 302

    refused = bob.post(change_page(row), his | {field: "His"})

    row.refresh_from_db()
    assert (refused.status_code, getattr(row, field)) == (200, "Hers")
    assert f"ada changed this while you were editing: {field} is now “Hers”." in text_of(refused)
    assert 'value="His"' in refused.content.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_saving_again_overwrites_knowingly(two, kind):
    make, field = KINDS[kind]
    row = make()
    ada, bob = two
    hers, his = (opened(client, change_page(row)) for client in two)
    ada.post(change_page(row), hers | {field: "Hers"})
    refused = bob.post(change_page(row), his | {field: "His"})
    again = {f.html_name: f.value() for f in refused.context["adminform"].form}
    again = {name: value for name, value in again.items() if value not in (None, False)}

    assert bob.post(change_page(row), again).status_code == 302
    row.refresh_from_db()
    assert getattr(row, field) == "His"


def test_the_sites_defaults_too(two, site):
    hers, his = (opened(client, change_page(site)) for client in two)
    two[0].post(change_page(site), hers | {"history_length": "9"})
    refused = two[1].post(change_page(site), his | {"history_length": "8"})

    assert SiteDefaults.objects.get().history_settings == {"length": 9}
    assert "ada changed this while you were editing: history settings is now" in text_of(refused)


def test_a_change_by_a_program_is_named_too(two, template):
    his = opened(two[1], change_page(template))
    template.name = "Renamed"
    template.save()

    assert "The system changed this" in text_of(two[1].post(change_page(template), his))


def test_what_the_server_itself_notes_is_no_change(two):
    server = McpServer.objects.create(slug="files", name="Files", command="x")
    his = opened(two[1], change_page(server))
    McpServer.objects.update(state="ready", said="hello")

    assert two[1].post(change_page(server), his | {"name": "His"}).status_code == 302


def test_a_long_value_is_not_repeated_whole(two, template):
    his = opened(two[1], change_page(template))
    hers = opened(two[0], change_page(template))
    two[0].post(change_page(template), hers | {"system_prompt": "x" * 5_000})
    refused = two[1].post(change_page(template), his | {"name": "His"})

    (sentence,) = refused.context["adminform"].form.non_field_errors()
    assert len(sentence) < 400


def test_keys_that_the_form_does_not_have_change_nothing(two, template):
    extra = {"version": "99", "id": "77", "is_admin": "on", "owner": "1", "changed": "2020-01-01"}
    two[0].post(change_page(template), opened(two[0], change_page(template)) | extra)

    (row,) = AgentTemplate.objects.all()
    assert (row.pk, row.version, row.changed.year > 2020) == (template.pk, 2, True)


def test_who_is_no_longer_staff_changes_nothing_on_an_open_page(two, template):
    ada = two[0]
    hers = opened(ada, change_page(template))
    User.objects.filter(username="ada").update(is_superuser=False, is_staff=False)

    assert ada.post(change_page(template), hers | {"name": "Hers"}).status_code == 302
    template.refresh_from_db()
    assert template.name == "Helper"
