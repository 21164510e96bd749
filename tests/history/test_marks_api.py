"""Pins and exclusions over HTTP."""

import pytest
from django.test import Client

from history.services.path.reading import message_at
from tests.factories import add_turn, branch_of, make_conversation

pytestmark = [pytest.mark.django_db, pytest.mark.turns(1)]


@pytest.fixture
def message(conversation):
    return message_at(branch_of(conversation), 0)


def address(conversation, message, name="mark"):
    return f"/api/conversations/{conversation.pk}/messages/{message}/{name}"


def put(client, conversation, message, body):
    path = address(conversation, message)
    return client.put(path, body, content_type="application/json")


def marks(client, conversation):
    answer = client.get(f"/api/conversations/{conversation.pk}/messages")
    return [message["mark"] for message in answer.json()["messages"]]


@pytest.mark.parametrize("kind", ["pin", "exclusion"])
def test_a_message_is_marked_and_the_list_says_so(owner, conversation, message, kind):
    answer = put(owner, conversation, message.pk, {"kind": kind})

    assert answer.json() == {"message": message.pk, "position": 0, "kind": kind}
    assert marks(owner, conversation) == [kind, None]


def test_a_mark_is_taken_back_as_often_as_one_likes(owner, conversation, message):
    put(owner, conversation, message.pk, {"kind": "pin"})

    taken = [owner.delete(address(conversation, message.pk)).status_code for _ in range(2)]

    assert taken == [204, 204]
    assert marks(owner, conversation) == [None, None]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"kind": "star"}, id="no such kind"),
        pytest.param({"kind": None}, id="no kind"),
        pytest.param({}, id="nothing"),
        pytest.param({"kind": "pin", "text": "x"}, id="more than a kind"),
    ],
)
def test_a_bad_kind_is_refused(owner, conversation, message, body):
    assert put(owner, conversation, message.pk, body).status_code == 422
    assert marks(owner, conversation) == [None, None]


def test_a_number_that_no_message_can_have_is_refused(owner, conversation):
    assert put(owner, conversation, 2**63, {"kind": "pin"}).status_code == 422


def test_another_persons_conversation_is_not_there(conversation, message):
    stranger = Client()
    stranger.post("/visitor")

    answers = [
        put(stranger, conversation, message.pk, {"kind": "pin"}),
        stranger.delete(address(conversation, message.pk)),
    ]

    assert [answer.status_code for answer in answers] == [404, 404]


def test_a_message_of_another_conversation_is_not_there(owner, conversation):
    other = make_conversation(conversation.agent, visitor=conversation.visitor)
    add_turn(other)
    elsewhere = message_at(branch_of(other), 0)

    assert put(owner, conversation, elsewhere.pk, {"kind": "pin"}).status_code == 404
