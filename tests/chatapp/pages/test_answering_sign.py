"""The list shows which chats are being answered."""

import re

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from history.models import ACTIVE, Conversation, GenerationStatus
from tests.factories import begin_turn, make_agent, make_conversation

OVER = sorted(set(GenerationStatus) - set(ACTIVE))


@pytest.fixture
def ada(client, db):
    """Sign in Ada, who has a chat about quinces and another one."""
    user = User.objects.create_user("ada")
    client.force_login(user)
    agent = make_agent()
    for title in ("Quinces", "Pears"):
        make_conversation(agent, user, title=title)
    return client


def begin(status, **fields):
    """Ask about quinces, in the chat of this name."""
    Conversation.objects.filter(title="Quinces").update(**fields)
    generation = begin_turn(Conversation.objects.get(title="Quinces"), "How to keep a quince?")
    generation.status = status
    generation.save()


def signs(client, query):
    """Return which rows with a sign there are in the list."""
    rows = re.split("(?=<li )", client.get(f"/chats{query}").text)
    return [re.findall('id="([^"]*)"', row)[0] for row in rows if "Being answered" in row]


@pytest.mark.parametrize("status", ACTIVE)
def test_a_chat_has_the_sign_while_it_is_answered_or_waits_for_that(ada, status):
    begin(status)
    key = Conversation.objects.get(title="Quinces").pk

    assert signs(ada, "") == [f"entry-{key}"]
    assert signs(ada, "?q=quinces") == [f"entry-{key}"]
    assert signs(ada, "?q=keep") == [f"found-in-{key}"]
    assert f'aria-describedby=" answering-{key}"' in ada.get("/chat").text


@pytest.mark.parametrize("status", OVER)
def test_a_chat_has_no_sign_once_its_answer_is_over_or_waits_for_a_person(ada, status):
    begin(status)

    assert signs(ada, "") == signs(ada, "?q=keep") == []


def test_pinned_and_archived_chats_have_it_too(ada):
    begin(GenerationStatus.RUNNING, pinned_at=timezone.now())
    key = Conversation.objects.get(title="Quinces").pk
    assert signs(ada, "") == [f"entry-{key}"]
    Conversation.objects.filter(pk=key).update(archived_at=timezone.now())

    assert signs(ada, "") == []
    assert signs(ada, "?archived=1") == [f"entry-{key}"]
