"""Copied turns of a long transcript have the same rows as turns that the service adds."""

import pytest
from django.forms import model_to_dict

from history.models import Message
from tests import factories
from tests.factories import add_turns, branch_of, make_agent, make_conversation

TURNS = 20


def rows(branch):
    own = {"id", "branch", "conversation", "created"}
    messages = (
        Message.objects.filter(branch=branch).order_by("position").select_related("path_hash")
    )
    return [
        (
            {name: value for name, value in model_to_dict(m).items() if name not in own},
            m.path_hash.hash,
        )
        for m in messages
    ]


@pytest.mark.django_db
def test_copied_turns_are_those_that_the_service_appends(monkeypatch):
    agent = make_agent()
    appended, copied = (branch_of(make_conversation(agent)) for _ in range(2))

    add_turns(appended.conversation, TURNS)
    monkeypatch.setattr(factories, "MANY", 3)
    add_turns(copied.conversation, TURNS)

    assert len(rows(copied)) == 2 * TURNS
    assert rows(copied) == rows(appended)
