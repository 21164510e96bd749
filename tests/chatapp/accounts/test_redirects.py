"""Signing in and out leads only to this site, and its parameters add no header."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.chatapp.accounts.people import OLD

pytestmark = pytest.mark.django_db
ELSEWHERE = [
    "https://evil.example/",
    "http://evil.example",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https:evil.example",
    "https:///evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://testserver@evil.example/",
    "http://testserver.evil.example/",
    " //evil.example",
    "\t//evil.example",
    "/\t/evil.example",
    "//evil.example\x00",
]


@pytest.fixture
def ada(cheap_hashes):
    return User.objects.create_superuser("ada", password=OLD)


def is_here(location):
    return location.startswith("/") and not location.startswith(("//", "/\\", "/\t"))


@pytest.mark.parametrize("where", ELSEWHERE, ids=repr)
@pytest.mark.parametrize("door", ["/login", "/admin/login/", "/logout"])
def test_no_door_leads_elsewhere(ada, where, door):
    client = Client()
    fields = {"username": "ada", "password": OLD, "next": where}
    answer = client.post(door, fields)

    assert answer.status_code == 302
    assert is_here(answer["Location"]), answer["Location"]


@pytest.mark.parametrize("where", ELSEWHERE[:-1], ids=repr)
def test_whoever_is_signed_in_already_is_not_led_elsewhere(ada, where):
    client = Client()
    client.force_login(ada)
    answer = client.get("/login", {"next": where})

    assert answer.status_code == 302
    assert is_here(answer["Location"]), answer["Location"]


@pytest.mark.parametrize("door", ["/login", "/admin/login/"])
def test_a_line_end_adds_no_header(ada, door):
    fields = {"username": "ada", "password": OLD, "next": "/chat\r\nSet-Cookie: planted=1"}
    answer = Client().post(door, fields)

    assert answer.status_code == 302
    assert "planted" not in answer.cookies
    assert not set("\r\n") & set(answer["Location"])


def test_whoever_must_sign_in_comes_back_to_this_site_alone(db, settings):
    settings.ANONYMOUS_CHAT = False
    answer = Client().get("/chat", {"agent": "//evil.example"})

    assert answer["Location"].startswith("/login?next=/chat%3F")
