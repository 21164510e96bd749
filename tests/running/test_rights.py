"""A stream ends within five seconds after its person loses the right, in whatever way."""

import time

import pytest
from websockets.exceptions import ConnectionClosed

from tests.patience import seconds
from tests.people import Person
from tests.provider import Reply
from tests.servers import manage

SECONDS = seconds(5)
WORDS, DELAY = 400, 0.02  # A stream of at least eight seconds.
MAKE = """
from django.contrib.auth.models import User
User.objects.create_superuser("root", password="correct horse")
for name in {names}:
    User.objects.create_user(name, password="correct horse", is_staff=True, is_superuser=True)
"""


def log_out(server, person, name):
    person.post("/logout")


def in_the_admin(server, name, **fields):
    """Set a user's fields in the admin and empty all others; without fields, delete the user."""
    root = Person(server)
    root.sign_in("root", "correct horse")
    ((pk,),) = server.rows("SELECT id FROM auth_user WHERE username = ?", name)
    joined = {"date_joined_0": "2026-11-22", "date_joined_1": "10:00:00"}
    address = f"/admin/auth/user/{pk}/{'change' if fields else 'delete'}/"
    answer = root.post(address, **(fields and {"username": name, **joined, **fields}), post="yes")
    assert answer.status_code == 200
    assert "errornote" not in answer.text


def disable(server, person, name):
    in_the_admin(server, name, is_staff="on", is_superuser="on")


def withdraw_staff(server, person, name):
    in_the_admin(server, name, is_active="on", is_superuser="on")


def delete_user(server, person, name):
    in_the_admin(server, name)


def session_of(person):
    return person.http.cookies["sessionid"]


def delete_session(server, person, name):
    server.write("DELETE FROM django_session WHERE session_key = ?", session_of(person))


def expire_session(server, person, name):
    change = "UPDATE django_session SET expire_date = ? WHERE session_key = ?"
    server.write(change, "2020-01-01 00:00:00", session_of(person))


def change_password(server, person, name):
    """Store another password from outside the server, as `manage.py changepassword` does."""
    server.write("UPDATE auth_user SET password = ? WHERE username = ?", "another", name)


def disable_by_sql(server, person, name):
    server.write("UPDATE auth_user SET is_active = NOT is_active WHERE username = ?", name)


WAYS = {
    "logged out": log_out,
    "account disabled": disable,
    "account disabled by another process": disable_by_sql,
    "staff right withdrawn": withdraw_staff,
    "user deleted": delete_user,
    "session deleted": delete_session,
    "session expired": expire_session,
    "password changed": change_password,
}
NAMES = {way: f"user{number}" for number, way in enumerate([*WAYS, "own password"])}


@pytest.fixture(scope="module")
def users(served):
    manage(served.folder, "shell", "-c", MAKE.format(names=[*NAMES.values()]))


@pytest.fixture
def signed_in(served, provider, users):
    """Return a function that signs a person in; the next answer streams for eight seconds."""

    def signed_in(name):
        person = Person(served)
        person.sign_in(name, "correct horse")
        return person

    provider.script(Reply(text=[f"w{n} " for n in range(WORDS)], delay=DELAY))
    return signed_in


def seconds_until_signed_out(tab):
    """Return how many seconds the stream went on; fail if its answer was completed."""
    begun = time.monotonic()
    with pytest.raises(ConnectionClosed) as closed:
        tab.until("a frame that never comes")
    assert closed.value.rcvd.code == 4401
    ends = [frame["data"]["status"] for frame in tab.seen if frame.get("kind") == "end"]
    assert "done" not in ends
    return time.monotonic() - begun


@pytest.mark.daily("account disabled")
@pytest.mark.parametrize("way", WAYS)
def test_a_right_that_ends_ends_the_stream(served, signed_in, way):
    person = signed_in(NAMES[way])
    with person.tab() as tab:
        tab.send("Tell me", agent="demo")
        tab.until("delta")

        WAYS[way](served, person, NAMES[way])

        assert seconds_until_signed_out(tab) < SECONDS


def test_a_visitors_session_that_is_gone_ends_the_stream(served, ada, provider):
    provider.script(Reply(text=[f"w{n} " for n in range(WORDS)], delay=DELAY))
    with ada.tab() as tab:
        tab.send("Tell me", agent="demo")
        tab.until("delta")

        delete_session(served, ada, "")

        assert seconds_until_signed_out(tab) < SECONDS


def test_who_changes_their_own_password_goes_on_and_the_others_do_not(served, signed_in):
    """The person's own session gets a new key, with which the page reconnects at once."""
    person, elsewhere = signed_in(NAMES["own password"]), signed_in(NAMES["own password"])
    with person.tab() as tab, elsewhere.tab() as other:
        ack = tab.send("Tell me", agent="demo")
        tab.until("delta")
        person.open("/account/password")
        words = {"new_password1": "battery staple", "new_password2": "battery staple"}
        answer = person.post("/account/password", old_password="correct horse", **words)
        assert answer.url.path == "/account/password/changed"
        assert max(map(seconds_until_signed_out, (other, tab))) < SECONDS

    with pytest.raises(ConnectionClosed, match="4401"), elsewhere.tab() as tab:
        tab.next()
    with person.tab() as tab:
        named = {"conversation": ack["conversation"], "generation": ack["generation"]}
        tab.say(type="subscribe", after_seq=0, **named)
        assert tab.until("end")["data"]["status"] == "done"
    assert [event["seq"] for event in tab.events(ack["generation"])][:3] == [1, 2, 3]


def test_a_session_that_holds_goes_on(served, ada, provider):
    provider.script(Reply(text=[f"w{n} " for n in range(150)], delay=DELAY))
    with ada.tab() as tab:
        _, end = tab.ask("Tell me", agent="demo")

    assert end["status"] == "done"
