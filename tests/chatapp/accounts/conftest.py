import pytest

from chatapp.accounts import signing_in
from chatapp.accounts.tries import Tries


@pytest.fixture(autouse=True)
def no_tries(monkeypatch):
    """Begin without any password tries, and discard the test's tries."""
    monkeypatch.setattr(signing_in, "tries", Tries())


@pytest.fixture
def clock(monkeypatch):
    """Return a function that lets seconds pass: `clock(seconds)`. No password was tried before."""
    now = [1_000.0]

    def passes(seconds):
        now[0] += seconds

    monkeypatch.setattr(signing_in, "tries", Tries(lambda: now[0]))
    return passes


@pytest.fixture
def cheap_hashes(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
