"""The admin's pages of MCP servers: only superusers change servers, and nobody reads a secret."""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from agents.mcp.fields import lines
from agents.mcp.models import McpServer

FORM = {
    "slug": "files",
    "name": "Files",
    "enabled": "on",
    "audience": "1",
    "transport": "stdio",
    "command": "npx",
    "arguments": "-y\nfiles",
    "variables": "TOKEN",
    "url": "",
    "headers": "",
    "only": "",
    "asks": "always",
    "timeout": "30",
    "result_limit": "20000",
}
ADD = reverse("admin:agents_mcpserver_add")


@pytest.fixture
def staff_client(client, django_user_model):
    """Return a client of a staff user with every permission on servers."""
    user = django_user_model.objects.create_user("ada", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__endswith="mcpserver"))
    client.force_login(user)
    return client


def test_a_superuser_adds_a_server(admin_client):
    response = admin_client.post(ADD, FORM)

    assert response.status_code == 302
    assert lines(McpServer.objects.get().arguments) == ["-y", "files"]


def test_a_mistake_is_shown_at_its_field(admin_client):
    response = admin_client.post(ADD, FORM | {"variables": "TOKEN=abc"})

    assert response.status_code == 200
    assert list(response.context["adminform"].form.errors) == ["variables"]


def test_the_bound_of_a_number_is_written_with_separators(admin_client):
    response = admin_client.post(ADD, FORM | {"result_limit": "300000", "timeout": "0"})

    assert response.context["adminform"].form.errors == {
        "result_limit": ["Ensure this value is less than or equal to 200,000."],
        "timeout": ["Ensure this value is greater than or equal to 1."],
    }


def test_staff_look_and_change_nothing(staff_client):
    server = McpServer.objects.create(slug="files", name="Files", command="npx")
    page = reverse("admin:agents_mcpserver_change", args=[server.pk])

    shown = staff_client.get(page)
    assert shown.status_code == 200
    assert "Effective history settings" not in shown.content.decode()
    assert staff_client.post(page, FORM).status_code == 403
    assert staff_client.post(ADD, FORM).status_code == 403


def test_what_a_server_says_is_shown_as_text(admin_client):
    tool = {"name": "files__read", "remote": "read", "description": "<b>Reads</b>"}
    listing = {"tools": [{**tool, "parameters": {}}], "notes": ["'odd' is left out."]}
    server = McpServer.objects.create(slug="files", name="Files", listing=listing)
    page = admin_client.get(reverse("admin:agents_mcpserver_change", args=[server.pk]))

    assert (
        "<li>files__read (needs approval): &lt;b&gt;Reads&lt;/b&gt;</li>" in page.content.decode()
    )
    assert "<li>&#x27;odd&#x27; is left out.</li>" in page.content.decode()


def test_a_template_offers_the_server_among_its_tools(admin_client):
    McpServer.objects.create(slug="files", name="Files", enabled=True)
    page = admin_client.get(reverse("admin:agents_agenttemplate_add")).content.decode()

    assert "mcp:files: all 0 tools of the MCP server Files (waiting)" in page
