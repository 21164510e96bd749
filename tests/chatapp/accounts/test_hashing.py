"""The number of passwords hashed at once is limited, to spare the machine."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from chatapp.accounts import hashing
from chatapp.limits.sharing import Patience, working_for
from chatapp.limits.spending import TooMany
from tests import data

pytestmark = pytest.mark.django_db  # Threads give connections back before they wait for a place.


@pytest.fixture
def slots(monkeypatch):
    """Let one address use only one place."""
    monkeypatch.setattr(hashing.PASSWORDS, "own", 1)
    return hashing.PASSWORDS


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(hashing.BoundedHasher, "iterations", 1_000)
    monkeypatch.setattr(hashing.PASSWORDS, "patience", Patience(50, 0.05))


def test_a_password_of_before_still_opens():
    before = PBKDF2PasswordHasher().encode("secret", "salt", 1_000)

    assert check_password("secret", before)
    assert make_password("secret").startswith("pbkdf2_sha256$1000$")


def test_one_at_a_time_is_hashed(slots, monkeypatch):
    at_once, most = 0, 0
    lock = threading.Lock()
    real = PBKDF2PasswordHasher.encode

    def counted(*args):
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        try:
            return real(*args)
        finally:
            with lock:
                at_once -= 1

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", counted)
    monkeypatch.setattr(hashing.PASSWORDS, "patience", Patience(50, 60))
    with ThreadPoolExecutor(10) as pool:
        made = list(pool.map(lambda _: make_password("secret"), range(10)))

    assert (len(made), most) == (10, 1)


def test_whoever_waits_too_long_is_told_to_come_back(slots):
    with slots.held(working_for.get()), pytest.raises(TooMany, match="Try again in 2 seconds"):
        make_password("secret")

    assert make_password("secret")


@pytest.mark.skipif(not data.server(), reason="SQLite has no pool of connections")
@pytest.mark.django_db(transaction=True)
def test_whoever_waits_lets_others_have_the_connection(slots):
    assert not User.objects.exists()
    before = connection.connection

    with slots.held(working_for.get()), pytest.raises(TooMany):
        make_password("secret")

    assert (before is None, connection.connection) == (False, None)


@pytest.mark.django_db
def test_signing_in_says_so(slots):
    with slots.held("127.0.0.1"):
        answer = Client().post("/login", {"username": "ada", "password": "secret"})

    assert (answer.status_code, answer["Retry-After"]) == (429, "2")
