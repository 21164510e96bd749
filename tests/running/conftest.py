import pytest

from tests.people import Person
from tests.provider import Provider
from tests.running.approvals import equip
from tests.running.raw_connections import eventually
from tests.servers import running


@pytest.fixture(scope="module")
def module_provider():
    """One provider for all tests of a file."""
    with Provider() as server:
        yield server


@pytest.fixture
def provider(module_provider):
    """The file's provider, with nothing left of the test before."""
    module_provider.reset()
    yield module_provider
    module_provider.release()


@pytest.fixture(scope="module")
def served(migrated, module_provider, tmp_path_factory):
    """The app with the provider behind it, one for all tests of a file."""
    folder = tmp_path_factory.mktemp("served") / "data"
    with running(migrated, folder, **module_provider.environment) as server:
        yield server


@pytest.fixture
def quiet(served, provider):
    """No answer of a test goes on in the next one, where it would hold a place or take a reply."""
    yield
    provider.release()
    open_answers = "SELECT count(*) FROM history_generation WHERE status IN ('queued', 'running')"
    assert eventually(lambda: served.rows(open_answers) == [(0,)])


@pytest.fixture
def ada(served, provider):
    """Somebody new to the app."""
    return Person(served)


@pytest.fixture
def fragile(app, provider):
    """A server of the test's own, to be killed."""
    return app(**provider.environment)


@pytest.fixture
def courier(served):
    """The server of the file, with an empty outbox."""
    return equip(served)


@pytest.fixture
def tab(ada):
    with ada.tab() as tab:
        yield tab
