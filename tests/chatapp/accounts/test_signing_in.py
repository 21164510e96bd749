"""Wrong passwords slow down signing in, for the name at an address and for the whole address."""

import html
import re

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.test import Client

pytestmark = pytest.mark.django_db
DOORS = ["/login", "/admin/login/"]
RIGHT = "correct horse battery"


@pytest.fixture(autouse=True)
def limits(settings, cheap_hashes):
    settings.LOGIN_TRIES = 5
    settings.LOGIN_TRIES_PER_ADDRESS = 20


@pytest.fixture
def ada(limits):
    return User.objects.create_superuser("ada", password=RIGHT)


def attempt(door="/login", name="ada", password="wrong", address="10.0.0.1"):
    fields = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post(door, fields)


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.mark.parametrize("door", DOORS)
def test_after_five_wrong_passwords_each_further_one_waits(ada, clock, door):
    assert [attempt(door).status_code for _ in range(6)] == [200] * 5 + [429]

    refused = attempt(door)
    assert refused["Retry-After"] == "1"
    assert "Too many wrong passwords. Try again in 1 second." in text_of(refused)

    clock(1)
    assert attempt(door).status_code == 200
    assert attempt(door)["Retry-After"] == "2"


def test_after_a_wrong_password_the_next_one_can_be_typed_at_once(ada):
    focused = re.compile(r"<input[^>]*name=\"(\w+)\"[^>]*autofocus")

    assert focused.findall(Client().get("/login").content.decode()) == ["username"]
    assert focused.findall(attempt().content.decode()) == ["password"]


def test_both_doors_count_together(ada, clock):
    assert [attempt(DOORS[n % 2]).status_code for n in range(6)] == [200] * 5 + [429]


def test_while_it_waits_the_right_password_is_not_looked_at(ada, clock):
    for _ in range(5):
        attempt()

    assert attempt(password=RIGHT).status_code == 429
    clock(1)
    assert attempt(password=RIGHT).status_code == 302


def test_the_owner_signs_in_from_elsewhere_meanwhile(ada, clock):
    for _ in range(50):
        attempt()

    assert attempt(password=RIGHT, address="10.0.0.2").status_code == 302


def test_signing_in_ends_the_names_pause(ada, clock):
    for _ in range(5):
        attempt()
    clock(1)
    attempt(password=RIGHT)

    assert [attempt().status_code for _ in range(6)] == [200] * 5 + [429]


def test_an_address_that_tries_many_names_waits_too(ada, clock):
    statuses = [attempt(name=f"name{n}").status_code for n in range(21)]

    assert statuses == [200] * 20 + [429]
    assert attempt(name="name99", address="10.0.0.2").status_code == 200


def test_an_own_account_buys_no_further_guesses(ada, clock):
    """Signing in to one's own account between the guesses resets nothing."""
    User.objects.create_user("mallory", password=RIGHT)
    guesses = []
    for number in range(25):
        guesses.append(attempt(name=f"name{number}").status_code)
        attempt(name="mallory", password=RIGHT)

    assert guesses == [200] * 20 + [429] * 5


@pytest.mark.parametrize("door", DOORS)
def test_a_name_that_does_not_exist_is_answered_alike(ada, clock, door):
    known = [attempt(door, "ada") for _ in range(6)]
    unknown = [attempt(door, "bob", address="10.0.0.9") for _ in range(6)]

    assert [r.status_code for r in known] == [r.status_code for r in unknown]
    assert [r.get("Retry-After") for r in known] == [r.get("Retry-After") for r in unknown]
    assert text_of(known[0]).replace("ada", "bob") == text_of(unknown[0])
    assert text_of(known[5]) == text_of(unknown[5])


def test_a_name_that_does_not_exist_costs_a_hash_too(ada, monkeypatch):
    made = []
    hasher = "django.contrib.auth.hashers.MD5PasswordHasher.encode"
    real = __import__("django.contrib.auth.hashers", fromlist=["x"]).MD5PasswordHasher.encode
    monkeypatch.setattr(hasher, lambda *args: made.append(1) or real(*args))

    for name in ("ada", "bob"):
        made.clear()
        attempt(name=name)
        assert len(made) == 1


@pytest.mark.parametrize("spelling", ["ada", "ADA", " ada", "\uff41da"])
def test_other_spellings_of_a_name_count_together(ada, clock, spelling):
    for _ in range(5):
        attempt()

    assert attempt(name=spelling).status_code == 429


def test_a_disabled_account_is_answered_like_a_wrong_password(ada, clock):
    User.objects.update(is_active=False)

    assert text_of(attempt(password=RIGHT)) == text_of(attempt())


def test_a_program_without_a_request_is_not_slowed_down(ada):
    found = [authenticate(username="ada", password="wrong") for _ in range(30)]

    assert found == [None] * 30
    assert authenticate(username="ada", password=RIGHT) == ada


def test_a_wrong_password_and_a_name_that_is_none_are_told_the_same(ada, clock):
    sentence = "That name and password don't match an account. Check both and try again."

    assert sentence in html.unescape(text_of(attempt()))
    assert sentence in html.unescape(text_of(attempt(name="nobody")))
