"""The API refuses bad bodies and strangers with a code for programs and a sentence for people."""

import pytest
from django.test import Client

from tests.factories import make_conversation

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client):
    session = client.session
    session["visitor"] = "a" * 32
    session.save()
    return client


@pytest.fixture
def path():
    return f"/api/conversations/{make_conversation(visitor='a' * 32).pk}"


def sent(client, path, body):
    answer = client.patch(path, body, content_type="application/json")
    return answer.status_code, answer.json()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        pytest.param("{", "is not JSON: Expecting property name", id="cut short"),
        pytest.param("[" * 5_000, "is nested too deeply", id="deeper than Python goes"),
        pytest.param('{"title": NaN}', "is not JSON: NaN is not a JSON number", id="no number"),
        pytest.param(b"\xff", "is not JSON", id="not a text"),
    ],
)
def test_a_body_that_is_no_json_is_refused_with_code_and_reason(owner, path, body, why):
    status, said = sent(owner, path, body)

    assert (status, said["code"]) == (400, "invalid")
    assert said["detail"].startswith(f"Cannot parse the request body: it {why}")


@pytest.mark.parametrize(
    ("body", "place"),
    [
        pytest.param('{"title": 5}', "title", id="a field"),
        pytest.param('{"history_settings": 5}', "history_settings", id="another"),
        pytest.param("5", "body", id="the body as a whole"),
    ],
)
def test_a_fault_is_placed_by_what_the_caller_sent(owner, path, body, place):
    status, said = sent(owner, path, body)

    assert (status, said["code"]) == (422, "invalid")
    assert said["detail"].partition(":")[0] == place


@pytest.mark.parametrize(
    ("address", "place"),
    [
        pytest.param("/api/conversations?limit=many", "limit", id="a value of the query"),
        pytest.param("/api/conversations/5", "conversation_id", id="a part of the path"),
        pytest.param("/api/export?format=odd", "format", id="one of several values"),
    ],
)
def test_a_fault_in_an_address_is_placed_by_name(owner, address, place):
    answer = owner.get(address)

    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert answer.json()["detail"].partition(":")[0] == place


def test_nobodys_session_has_a_code(path, settings):
    settings.ANONYMOUS_CHAT = False

    assert sent(Client(), path, "{}") == (
        401,
        {"code": "not_signed_in", "detail": "You are not signed in."},
    )


def test_what_a_chats_own_settings_contradict_is_said_when_they_are_stored(owner, path):
    own = {"summarize": True, "max_items": 40, "policy": "all"}

    status, said = sent(owner, path, {"history_settings": own})

    assert (status, said["history_settings"]) == (200, own)
    (warning,) = said["warnings"]
    named = (
        "“History window (items)” 40 (this chat)",
        "“Summarise” on (this chat)",
        "“Summarise at” 100 (",
    )
    assert [setting for setting in named if setting not in warning] == []


def test_settings_that_agree_have_no_warnings(owner, path):
    assert sent(owner, path, {"history_settings": {"length": 5}})[1]["warnings"] == []
