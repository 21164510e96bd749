"""People without an account have a session only from their first message on."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chatapp.accounts.sessions import clear_expired
from chatapp.limits.spending import buckets
from tests.factories import make_agent, make_conversation

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/", "/chat", "/chats", "/chat/panel", "/login", "/healthz"])
def test_looking_writes_nothing(client, address):
    make_agent()
    client.get("/chat")  # Fill the caches.
    with CaptureQueriesContext(
        connection,
    ) as asked:
        response = client.get(address)

    words = {query["sql"].split()[0] for query in asked.captured_queries}
    assert words <= {"SELECT"}
    assert "sessionid" not in response.cookies
    assert Session.objects.count() == 0


def test_a_visitor_begins_once(client):
    codes = [client.post("/visitor").status_code for _ in range(3)]
    visitor = client.session["visitor"]

    assert codes == [204] * 3
    assert len(visitor) == 32
    assert Session.objects.count() == 1


def test_the_page_knows_whom_it_has_not_met(client):
    new, met = b"data-new-visitor", client.post("/visitor")

    assert new in Client().get("/chat").content
    assert met.status_code == 204
    assert new not in client.get("/chat").content


def test_a_chat_is_not_there_for_whoever_is_new(client):
    assert client.get(f"/chat/{make_conversation(make_agent()).pk}").status_code == 404


def test_no_visitor_begins_where_people_must_sign_in(client, settings):
    settings.ANONYMOUS_CHAT = False

    assert client.post("/visitor").headers["Location"].startswith("/login")
    assert Session.objects.count() == 0


def test_no_visitor_begins_without_the_pages_token():
    assert Client(enforce_csrf_checks=True).post("/visitor").status_code == 403


def test_one_address_has_only_so_many_new_visitors(settings, monkeypatch):
    settings.VISITORS_PER_HOUR = 3
    monkeypatch.setattr(buckets, "_clock", lambda: 1_000.0)
    answers = [Client(REMOTE_ADDR="192.0.2.7").post("/visitor") for _ in range(5)]
    elsewhere = Client(REMOTE_ADDR="192.0.2.8").post("/visitor")

    assert [answer.status_code for answer in answers] == [204] * 3 + [429] * 2
    assert answers[-1].headers["Retry-After"] == "1200"
    assert answers[-1].content.decode() == (
        "Your IP address has reached the limit of 3 new visitors per hour. Try again in 20 minutes."
    )
    assert elsewhere.status_code == 204


def test_sessions_that_ended_are_cleared_in_batches():
    now = timezone.now()
    for n in range(7):
        ends = now + timedelta(days=1 if n < 2 else -1)
        Session.objects.create(session_key=f"key{n}", session_data="", expire_date=ends)

    assert [clear_expired(most=3) for _ in range(3)] == [3, 2, 0]
    assert sorted(Session.objects.values_list("pk", flat=True)) == ["key0", "key1"]
