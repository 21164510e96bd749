"""The administration's list of chats shows and finds them by what people know of them."""

import re
from html import unescape

import pytest
from django.urls import reverse

from agents.networks.models import Network
from history.models import ContextPlan, Conversation, Generation
from tests.factories import add_turn, make_agent, make_conversation

pytestmark = pytest.mark.django_db
LIST = reverse("admin:history_conversation_changelist")
CELL = r'<t[hd] class="field-(chat|person|partner)[^>]*>(.*?)</t[hd]>'


@pytest.fixture
def chats(ada):
    """Make a chat of a person, and a visitor's with a network."""
    agent = make_agent()
    support = Network.objects.create(slug="support", name="Support", members=["demo"], entry="demo")
    mine = make_conversation(agent, ada, title="Planning a long journey")
    other = make_conversation(agent, network=support)
    add_turn(mine)
    return mine, other


def listed(client, search=""):
    html = client.get(LIST, {"q": search}).content.decode()
    cells = [re.sub("<[^>]+>", "", unescape(cell)) for _name, cell in re.findall(CELL, html)]
    return [tuple(cells[at : at + 3]) for at in range(0, len(cells), 3)]


MINE = ("Planning a long journey", "ada", "Demo")
OTHER = ("Untitled chat", "a visitor", "Support")


def test_a_chat_is_told_by_its_title_its_person_and_whom_they_talk_to(admin_client, chats):
    assert set(listed(admin_client)) == {MINE, OTHER}
    page = reverse("admin:history_conversation_change", args=[chats[0].pk])
    link = re.search(r'href="([^"?]*)[^"]*">Planning', admin_client.get(LIST).content.decode())
    assert link
    assert link[1] == page


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("planning", [MINE]),
        ("journey plan", [MINE]),
        ("ada", [MINE]),
        ("question", []),  # Said in the chat.
        ("", [MINE, OTHER]),
    ],
)
def test_titles_and_people_are_found_but_no_messages(admin_client, chats, search, found):
    assert sorted(listed(admin_client, search)) == sorted(found)


def test_a_chat_is_found_by_its_id(admin_client, chats):
    key = str(Conversation.objects.get(network__slug="support").pk)

    assert listed(admin_client, key) == [OTHER]


@pytest.mark.words
def test_its_page_has_its_title_its_settings_in_words_and_leads_to_what_was_said(
    admin_client, chats
):
    chat, _other = chats
    Conversation.objects.filter(pk=chat.pk).update(
        history_settings={"policy": "lastN", "length": 3}
    )
    answer = Generation.objects.get(conversation=chat)
    assert ContextPlan.objects.filter(generation=answer).exists()
    page = reverse("admin:history_conversation_change", args=[chat.pk])

    html = admin_client.get(page).content.decode()

    assert re.search(r"<h1[^>]*>Planning a long journey</h1>", html)
    assert "History policy: lastN<br>History length: 3" in html
    assert "&quot;policy&quot;" not in html
    assert f'href="{reverse("transcript", args=[chat.pk])}"' in html
    inspector = reverse("turn", args=[chat.pk, answer.turn], query={"generation": answer.pk})
    assert f'href="{inspector}"' in html
    assert admin_client.get(inspector).status_code == 200


def test_the_page_of_a_chat_without_a_request_has_no_way_to_the_inspector(admin_client, chats):
    page = reverse("admin:history_conversation_change", args=[chats[1].pk])

    html = admin_client.get(page).content.decode()

    assert "Untitled chat</h1>" in html
    assert "/debug/turn/" not in html
