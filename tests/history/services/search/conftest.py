"""Fixtures and helpers for chats of a few sentences, of an account or a visitor."""

import pytest
from django.contrib.auth.models import User

from history.models import Conversation
from history.services.access import Actor
from history.services.path.appending import append, user_message
from history.services.search import find
from tests.factories import branch_of, make_agent, make_conversation
from tests.history.services.conftest import ADA


@pytest.fixture
def ada(db):
    return Actor(user=User.objects.create_user("ada"))


@pytest.fixture(params=["an account", "a visitor"])
def person(request, ada):
    return ada if request.param == "an account" else ADA


def said(actor, *texts, **fields):
    """Make a chat of these messages by the actor, without answers."""
    agent = fields.pop("agent", None) or make_agent(f"agent-{Conversation.objects.count()}")
    chat = make_conversation(agent, actor.user, actor.visitor, **fields)
    append(branch_of(chat), [user_message(text) for text in texts])
    return chat


def excerpts(actor, query):
    return [["".join(text.pieces) for text in chat.texts] for chat in find(actor, query)]
