import pytest
from django.urls import reverse

from agents.networks.models import Network
from tests.agents.pages import add_page, change_page, errors, submit


@pytest.fixture
def client(admin_client):
    return admin_client


def test_a_network_is_made_on_its_page(client, agents):
    response = submit(
        client,
        add_page("network"),
        name="Pair",
        slug="pair",
        entry="bob",
        members=["bob", "eve"],
        processors='[{"use": "token_limiter", "limit": 500}]',
    )

    made = Network.objects.get()
    assert response.status_code == 302
    assert (made.entry, made.members, made.version) == ("bob", ["bob", "eve"], 1)
    assert made.processors == [{"use": "token_limiter", "limit": 500}]


def test_what_cannot_work_is_an_error_on_the_page(client, network):
    response = submit(client, change_page(network), members=["bob", "eve"])

    assert errors(response) == {"members": ["The entry agent (ada) must be one of the members."]}


def test_a_network_without_members_is_told_to_choose_one(client, network):
    response = submit(client, change_page(network), members=[])

    assert errors(response) == {"members": ["Choose at least one agent."]}


def test_a_member_that_is_gone_stays_on_the_page_to_be_taken_out(client, network, agents):
    agents["eve"].delete()

    assert "this agent no longer exists (eve)" in client.get(change_page(network)).content.decode()
    assert submit(client, change_page(network), members=["ada", "bob"]).status_code == 302
    assert Network.objects.get().members == ["ada", "bob"]


def test_the_list_and_the_versions_are_shown(client, network):
    network.name = "Three"
    network.save()

    rows = client.get(reverse("admin:agents_network_changelist")).content.decode()
    versions = client.get(reverse("admin:agents_network_history", args=[network.pk]))

    assert "ada, bob, eve" in rows
    assert "Trio → Three" in " ".join(versions.content.decode().replace("</strong>", "").split())
