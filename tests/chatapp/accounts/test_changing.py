"""People change their own password."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.chatapp.accounts.people import NEW, OLD, text_of

pytestmark = pytest.mark.django_db
PAGE = "/account/password"


@pytest.fixture
def ada(cheap_hashes):
    return User.objects.create_user("ada", password=OLD, email="ada@example.org")


@pytest.fixture
def here(ada):
    client = Client()
    client.post("/login", {"username": "ada", "password": OLD})
    return client


def change(client, old=OLD, new=NEW, again=None):
    fields = {"old_password": old, "new_password1": new, "new_password2": again or new}
    return client.post(PAGE, fields, follow=True)


def is_signed_in(client):
    return "_auth_user_id" in client.session and client.get(PAGE).status_code == 200


@pytest.mark.parametrize(("page", "fields"), [("/login", 1), (PAGE, 3), ("/account", 1)])
def test_every_field_for_a_password_can_show_what_was_typed(here, page, fields):
    html = (Client() if page == "/login" else here).get(page).content.decode()

    shown = re.findall(r'data-reveal="(\w+)"', html)
    assert re.findall(r'type="password"\s+id="(\w+)"', html) == shown
    assert len(shown) == fields
    assert "js/reveal" in html


def test_the_account_menu_leads_there_by_ones_own_page(here):
    account = reverse("own_data")

    assert f'href="{account}"' in here.get("/chat").content.decode()
    assert f'href="{PAGE}"' in here.get(account).content.decode()


def test_whoever_is_not_signed_in_is_asked_to(client):
    answer = client.get(PAGE)

    assert (answer.status_code, answer["Location"]) == (302, f"/login?next={PAGE}")


def test_this_browser_stays_signed_in_and_all_others_do_not(here, ada):
    other = Client()
    other.post("/login", {"username": "ada", "password": OLD})
    key = here.session.session_key
    assert is_signed_in(other)

    answer = change(here)

    assert "Your password has been changed" in text_of(answer)
    assert is_signed_in(here)
    assert here.session.session_key != key
    assert not is_signed_in(other)
    ada.refresh_from_db()
    assert ada.check_password(NEW)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        pytest.param({"old": "wrong"}, "Your old password was entered incorrectly", id="old"),
        pytest.param({"again": "other"}, "The two password fields", id="differing"),
        pytest.param({"new": "password"}, "This password is too common", id="common"),
        pytest.param({"new": "letmein1"}, "This password is too common", id="common, 8"),
        pytest.param({"new": "8213846915"}, "entirely numeric", id="numeric"),
        pytest.param({"new": "short"}, "too short", id="short"),
        pytest.param({"new": "ada@example.org"}, "too similar to the", id="similar"),
    ],
)
def test_what_is_refused_says_why_and_changes_nothing(here, ada, fields, sentence):
    assert sentence in text_of(change(here, **fields))

    ada.refresh_from_db()
    assert ada.check_password(OLD)


def test_guessing_the_old_password_is_slowed_down(here, clock):
    statuses = [change(here, old="wrong").status_code for _ in range(6)]

    assert statuses == [200] * 5 + [429]


def test_a_poor_new_password_is_no_guess(here, clock):
    statuses = [change(here, new="short").status_code for _ in range(8)]

    assert statuses == [200] * 8


def test_the_administrations_own_page_leads_here(here):
    assert here.get("/admin/password_change/")["Location"] == PAGE


def test_a_change_is_recorded(here, ada):
    change(here)

    entry = LogEntry.objects.filter(object_id=str(ada.pk)).first()
    assert (entry.user, entry.change_message) == (ada, "Changed the password.")
