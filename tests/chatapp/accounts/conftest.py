import pytest

from chatapp.accounts import signing_in


@pytest.fixture(autouse=True)
def no_tries(monkeypatch):
    """Forget all password tries."""
    signing_in.tries.clear()
    yield
    signing_in.tries.clear()


@pytest.fixture
def clock(monkeypatch):
    """Time that passes only when a test says so: `clock(seconds)`."""
    now = [1_000.0]

    def passes(seconds):
        now[0] += seconds

    monkeypatch.setattr(signing_in.tries, "_clock", lambda: now[0])
    signing_in.tries.clear()
    return passes


@pytest.fixture
def cheap_hashes(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
