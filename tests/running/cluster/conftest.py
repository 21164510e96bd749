import pytest

from tests.people import Person
from tests.servers import AppServer, running


@pytest.fixture
def variables():
    """Return additional environment variables for both processes."""
    return {}


@pytest.fixture
def processes(migrated, provider, redis, variables, tmp_path):
    """Run two processes of one Vitrine, which share a folder, a PostgreSQL and a Redis."""
    own = {**provider.environment, "REDIS_URL": redis.url, **variables}
    with running(migrated, tmp_path / "data", **own) as first:
        second = AppServer(first.folder, own)
        second.log = tmp_path / "second.log"
        second.start()
        yield first, second
        second.close()


@pytest.fixture
def ada(processes):
    """Return one person twice, with the same session at both processes."""
    first, second = processes
    here, there = Person(first), Person(second)
    there.http.cookies.update(here.http.cookies)
    return here, there
