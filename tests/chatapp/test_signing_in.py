"""However people sign in, what they wrote before as visitors stays theirs."""

import pytest
from django.contrib.auth.models import User

from tests.factories import add_turn, make_conversation

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("door", ["/login", "/admin/login/"])
def test_a_visitors_chats_follow_them(client, door):
    ada = User.objects.create_superuser("ada", password="correct horse")
    client.post("/visitor")
    conversation = make_conversation(visitor=client.session["visitor"])
    add_turn(conversation)

    client.post(door, {"username": "ada", "password": "correct horse", "next": "/chat"})

    conversation.refresh_from_db()
    assert (conversation.owner, conversation.visitor) == (ada, "")
    assert client.get(f"/chat/{conversation.pk}").status_code == 200
