"""A sign-in expires, even on an open socket; each sign-in gets a new session key."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from chatapp.accounts import sessions as endings
from chatapp.accounts.sessions import actor_of_session, actors_of_sessions
from tests.chatapp.accounts.people import OLD

pytestmark = pytest.mark.django_db
DAY = 86_400


@pytest.fixture
def days(monkeypatch, settings):
    """Return a function that lets days pass: `days(3)`."""
    settings.SESSION_DAYS, settings.SESSION_IDLE_DAYS = 30, 7
    now = [1_800_000_000.0]
    monkeypatch.setattr(endings, "time", lambda: now[0])

    def days(count):
        now[0] += count * DAY

    return days


@pytest.fixture
def ada(days, cheap_hashes):
    client = Client()
    User.objects.create_user("ada", password=OLD)
    client.post("/login", {"username": "ada", "password": OLD})
    return client


def is_signed_in(client):
    return client.get("/account/password").status_code == 200


def socket_is_hers(client):
    key = client.session.session_key
    one, many = actor_of_session(key), actors_of_sessions([key]).get(key)
    assert many is None or one.user == many.user
    return one.user is not None


@pytest.mark.parametrize(
    ("visits", "lasts"),
    [
        pytest.param([6.9], True, id="within the idle time"),
        pytest.param([7.1], False, id="idle for too long"),
        pytest.param([6, 6, 6, 6, 5.9], True, id="used all the time"),
        pytest.param([6, 6, 6, 6, 6.1], False, id="used, but too old"),
    ],
)
def test_when_a_sign_in_ends(ada, days, visits, lasts):
    *before, last = visits
    for pause in before:
        days(pause)
        assert is_signed_in(ada)
    days(last)

    assert socket_is_hers(ada) is lasts
    assert is_signed_in(ada) is lasts


def test_one_that_began_before_this_was_counted_begins_now(ada, days):
    session = ada.session
    del session[endings.SINCE], session[endings.SEEN]
    session.save()

    assert is_signed_in(ada)
    days(6)
    assert is_signed_in(ada)


def test_looking_again_within_the_hour_writes_nothing(ada, django_assert_num_queries, days):
    is_signed_in(ada)
    days(0.03)
    before = ada.session[endings.SEEN]
    is_signed_in(ada)
    assert ada.session[endings.SEEN] == before

    days(0.03)
    is_signed_in(ada)
    assert ada.session[endings.SEEN] > before


def test_signing_in_changes_the_key(days, cheap_hashes):
    User.objects.create_user("ada", password=OLD)
    client = Client()
    session = client.session
    session["anything"] = 1
    session.save()
    client.cookies["sessionid"] = planted = session.session_key
    client.post("/login", {"username": "ada", "password": OLD})

    assert client.cookies["sessionid"].value != planted
    assert not actor_of_session(planted).user


def test_a_visitors_session_is_not_ended(days):
    client = Client()
    session = client.session
    session["visitor"] = "somebody"
    session.save()
    days(60)

    assert client.get("/chats").status_code == 200
    assert actor_of_session(session.session_key).visitor == "somebody"
