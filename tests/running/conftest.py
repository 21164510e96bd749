import pytest

from tests.people import Person
from tests.provider import Provider
from tests.quiet import quiet_after
from tests.running.approvals import equip
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


@pytest.fixture(autouse=True)
def quiet(request):
    yield from quiet_after(request)


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
