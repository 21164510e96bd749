import pytest

from tests.people import Person
from tests.servers import AppServer, running


@pytest.fixture
def variables():
    """Variables of both, besides those that they need."""
    return {}


@pytest.fixture
def processes(migrated, provider, redis, variables, tmp_path):
    """Two processes of one Vitrine: one folder, one PostgreSQL, one Redis."""
    own = {**provider.environment, "REDIS_URL": redis.url, **variables}
    with running(migrated, tmp_path / "data", **own) as first:
        second = AppServer(first.folder, own)
        second.log = tmp_path / "second.log"
        second.start()
        yield first, second
        second.close()


@pytest.fixture
def ada(processes):
    """One person with a session, at both."""
    first, second = processes
    here, there = Person(first), Person(second)
    there.http.cookies.update(here.http.cookies)
    return here, there
