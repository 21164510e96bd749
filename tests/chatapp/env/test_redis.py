"""REDIS_URL must have certain forms; errors never show its password."""

import pytest

from chatapp import env
from chatapp.env.redis import redis_url

SQLITE, POSTGRESQL = "django.db.backends.sqlite3", "django.db.backends.postgresql"


@pytest.mark.parametrize(
    "url",
    ["redis://:hidden@db:6379/0", "rediss://me:hidden@db", "unix:///run/redis.sock", ""],
)
def test_an_address_is_taken_as_it_is(url):
    assert redis_url(POSTGRESQL, url) == url


@pytest.mark.parametrize(
    ("engine", "url", "why"),
    [
        pytest.param(POSTGRESQL, "http://:hidden@db", "must be an address", id="another protocol"),
        pytest.param(POSTGRESQL, "redis://:hidden@", "must be an address", id="no host"),
        pytest.param(POSTGRESQL, "redis://:hid/den@db", "must be an address", id="a slash in it"),
        pytest.param(SQLITE, "redis://:hidden@db", "needs PostgreSQL", id="SQLite"),
    ],
)
def test_anything_else_is_refused_with_a_way_out(engine, url, why, monkeypatch):
    monkeypatch.setenv("REDIS_URL", url)

    with pytest.raises(env.EnvironmentRefused, match=f"^REDIS_URL in the .*{why}") as refusal:
        env.read("REDIS_URL", lambda raw: redis_url(engine, raw))

    assert "hid" not in f"{refusal.value} {refusal.value.__cause__}"
