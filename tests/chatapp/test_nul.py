"""Every input refuses NUL characters, on all databases, because PostgreSQL cannot store them."""

import pytest

from chatapp.socket import protocol
from history.services.errors import Refused
from tests.factories import make_conversation

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address",
    [
        "/chat?agent=%00",
        "/chat?historyLength=5&agent=%00",
        "/chat?a%00=b",
        "/chats?q=a%00",
        "/chat/%00",
        "/api/x%00",
    ],
)
def test_an_address_is_refused(client, address):
    answer = client.get(address)

    assert answer.status_code == 422
    assert answer.content == b"The address contains an invalid character."


def test_a_title_is_refused(client):
    session = client.session
    session["visitor"] = "a" * 32
    session.save()
    conversation = make_conversation(visitor="a" * 32, title="As it was")

    answer = client.patch(
        f"/api/conversations/{conversation.pk}",
        {"title": "a\x00"},
        content_type="application/json",
    )

    assert answer.status_code == 422
    conversation.refresh_from_db()
    assert conversation.title == "As it was"


@pytest.mark.parametrize("field", ["agent", "query"])
def test_a_command_is_refused(field):
    told = '{"type": "send", "text": "a", "client_msg_id": "%s", "%s": "\\u0000"}'

    with pytest.raises(Refused, match=f"{field}: contains an invalid character"):
        protocol.parse(told % ("0" * 32, field))


@pytest.mark.parametrize("field", ["agent", "query"])
def test_half_a_character_is_refused(field):
    told = '{"type": "send", "text": "a", "client_msg_id": "%s", "%s": "\\ud800"}'

    with pytest.raises(Refused, match=field):
        protocol.parse(told % ("0" * 32, field))
