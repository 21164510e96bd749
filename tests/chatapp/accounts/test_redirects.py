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


def test_the_administration_has_the_sign_in_page_of_everybody(ada):
    client = Client()
    changes = "/admin/agents/provider/?q=a&o=1"
    page = client.get(changes, follow=True)

    assert page.request["PATH_INFO"] == "/login"
    assert "data-reveal" in page.content.decode()
    fields = {"username": "ada", "password": OLD, "next": page.context["next"]}
    signed_in = client.post("/login", fields)
    assert signed_in["Location"] == changes
    assert client.get("/admin/login/")["Location"] == "/admin/"


@pytest.mark.parametrize("where", ELSEWHERE[:-1], ids=repr)
def test_the_administrations_door_leads_nobody_elsewhere(ada, where):
    client = Client()
    answer = client.get("/admin/login/", {"next": where})
    fields = {"username": "ada", "password": OLD, "next": where}

    assert answer["Location"].startswith("/login?next=")
    assert is_here(client.post(answer["Location"], fields)["Location"])


def test_whoever_may_not_administer_is_told_so_once_signed_in(cheap_hashes):
    client = Client()
    client.force_login(User.objects.create_user("bob", password=OLD))
    page = client.get("/admin/", follow=True)

    assert page.status_code == 200
    assert "not authorized to access this page" in page.content.decode()
