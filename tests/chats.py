"""A chat for tests. The mark `agent` describes its agent; the fixture `turns` counts its turns."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from agents.models import AgentTemplate
from history.models import Conversation
from tests.factories import add_turn, make_agent, make_conversation


@pytest.fixture
def agent(request: pytest.FixtureRequest, db: None) -> AgentTemplate:
    mark = request.node.get_closest_marker("agent")
    fields: Mapping[str, Any] = mark.kwargs if mark else {}
    return make_agent(**fields)


@pytest.fixture
def turns(request: pytest.FixtureRequest) -> int:
    mark = request.node.get_closest_marker("turns")
    return mark.args[0] if mark else 0


@pytest.fixture
def conversation(agent: AgentTemplate, turns: int) -> Conversation:
    """Make a conversation of a visitor."""
    conversation = make_conversation(agent)
    for number in range(1, turns + 1):
        add_turn(conversation, f"Question {number}", f"Answer {number}")
    return conversation


@pytest.fixture
def owner(client: Client, conversation: Conversation) -> Client:
    """Return a test client with the session of the visitor who owns the conversation."""
    session = client.session
    session["visitor"] = conversation.visitor
    session.save()
    return client


@pytest.fixture
def ada(db: None) -> User:
    """Return a user with an account."""
    return User.objects.create_user("ada")
