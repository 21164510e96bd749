"""An agent or a network with chats can't be deleted, and the page says what to do instead."""

import re

import pytest
from django.urls import reverse

from agents.models import AgentTemplate
from agents.networks.models import Network
from tests.factories import make_agent, make_conversation

pytestmark = pytest.mark.django_db
HIDE = "To hide it from new chats, turn off Enabled on its page."


def text_of(response):
    assert response.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.mark.parametrize(("count", "chats"), [(1, "1 chat"), (2, "2 chats")])
def test_an_agent_with_chats_says_how_many_and_how_to_hide_it(admin_client, count, chats):
    agent = make_agent("walk", name="Walk B")
    for _ in range(count):
        make_conversation(agent)
    address = reverse("admin:agents_agenttemplate_delete", args=[agent.pk])

    page = admin_client.get(address)
    assert f"Walk B has {chats}, so it can't be deleted. {HIDE}" in text_of(page).replace(
        "&#x27;", "'"
    )
    assert "protected" not in text_of(page)
    change = reverse("admin:agents_agenttemplate_change", args=[agent.pk])
    assert f'<a href="{change}">Open Walk B</a>' in page.content.decode()
    admin_client.post(address, {"post": "yes"})
    assert AgentTemplate.objects.filter(pk=agent.pk).exists()


def test_a_network_with_chats_says_the_same(admin_client):
    agent = make_agent()
    network = Network.objects.create(slug="support", name="Support", members=["demo"], entry="demo")
    make_conversation(agent, network=network)
    page = admin_client.get(reverse("admin:agents_network_delete", args=[network.pk]))

    assert "Support has 1 chat" in text_of(page)


def test_several_agents_of_which_one_has_a_chat_are_not_deleted(admin_client):
    agents = [make_agent("one"), make_agent("two")]
    make_conversation(agents[0])
    chosen = {"action": "delete_selected", "_selected_action": [agent.pk for agent in agents]}
    page = admin_client.post(reverse("admin:agents_agenttemplate_changelist"), chosen)

    assert "some of what you chose has chats" in text_of(page)
    assert AgentTemplate.objects.count() == 2


def test_an_agent_without_chats_is_deleted(admin_client):
    agent = make_agent("walk")
    admin_client.post(
        reverse("admin:agents_agenttemplate_delete", args=[agent.pk]), {"post": "yes"}
    )

    assert not AgentTemplate.objects.exists()
