"""Fixtures with a Redis only for the tests."""

import pytest

from tests import redis_server


@pytest.fixture
def redis(tmp_path):
    folder = tmp_path / "redis"
    folder.mkdir()
    with redis_server.serving(folder) as server:
        yield server


@pytest.fixture
def shared(redis, settings):
    """Make this process use the tests' Redis."""
    settings.REDIS_URL = redis.url
    return redis
