import pytest

from chatapp.accounts import signing_in
from chatapp.accounts.tries import Tries


@pytest.fixture(autouse=True)
def no_tries(monkeypatch):
    """Begin without password tries, and forget those of the test."""
    monkeypatch.setattr(signing_in, "tries", Tries())


@pytest.fixture
def clock(monkeypatch):
    """Time that passes only when a test says so: `clock(seconds)`. No try was made before."""
    now = [1_000.0]

    def passes(seconds):
        now[0] += seconds

    monkeypatch.setattr(signing_in, "tries", Tries(lambda: now[0]))
    return passes


@pytest.fixture
def cheap_hashes(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
