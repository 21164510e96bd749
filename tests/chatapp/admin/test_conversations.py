"""The administration's list of chats shows and finds them by what people know of them."""

import re
from html import unescape

import pytest
from django.urls import reverse

from agents.networks.models import Network
from history.models import Conversation
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
