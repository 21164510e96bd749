"""A page loads its transcript in parts: the newest, older ones, and the one around a message."""

import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from tests.chatapp.pages.reading import chat_page, data, page
from tests.factories import add_turns, make_conversation

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(client, conversation):
    client.force_login(conversation.owner)
    return client


@pytest.fixture
def conversation(agent):
    return make_conversation(agent, User.objects.create_user("ada"))


def test_older_messages_come_in_stretches(ada, conversation):
    add_turns(conversation, 60)
    html = chat_page(ada, conversation)
    (older,) = re.findall(r'hx-get="([^"]*older[^"]*)"', html)
    stretch = page(ada, older)

    assert data(html, "position") == [str(position) for position in range(40, 120)]
    assert data(stretch, "position") == [str(position) for position in range(40)]
    assert "older" not in stretch


@pytest.mark.parametrize("before", ["", "x", "1.5"])
def test_older_wants_a_position(ada, conversation, before):
    path = reverse("older", args=[conversation.pk])

    assert ada.get(path, {"before": before}).status_code == 404


def around(client, conversation, position, since=0, before=120):
    query = {"position": position, "since": since, "before": before}
    return client.get(reverse("around", args=[conversation.pk]), query)


@pytest.mark.parametrize(
    ("position", "shown", "unloaded"),
    [
        (0, range(80), [(80, 120)]),
        (11, range(8, 88), [(0, 8), (88, 120)]),
        (119, range(116, 120), [(0, 116)]),
    ],
    ids=["the beginning", "the middle", "the end"],
)
def test_a_stretch_in_the_middle_says_what_is_missing(ada, conversation, position, shown, unloaded):
    add_turns(conversation, 100)
    html = around(ada, conversation, position).text

    assert data(html, "position") == [str(position) for position in shown]
    missing = list(zip(map(int, data(html, "since")), map(int, data(html, "before")), strict=True))
    assert missing == unloaded


def test_a_stretch_ends_where_the_page_goes_on(ada, conversation):
    add_turns(conversation, 100)
    html = around(ada, conversation, 60, since=60, before=64).text

    assert data(html, "position") == ["60", "61", "62", "63"]
    assert "unloaded" not in html


@pytest.mark.parametrize("wrong", ["", "x", "-1", "1.5", "\u0663", "200", "9" * 30])
def test_a_stretch_wants_a_position_that_is_there(ada, conversation, wrong):
    add_turns(conversation, 10)

    assert around(ada, conversation, wrong).status_code == 404
