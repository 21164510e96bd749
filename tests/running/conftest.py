import pytest

from tests.people import Person
from tests.provider import Provider
from tests.quiet import quiet_after
from tests.running.approvals import equip
from tests.servers import running
from tests.strict.background import BackgroundResponses
from tests.strict.server import StrictProvider


@pytest.fixture(scope="module")
def module_provider():
    """Run one provider for all tests of a file."""
    with Provider() as server:
        yield server


@pytest.fixture
def provider(module_provider):
    """Return the file's provider, without the requests and replies of the previous test."""
    module_provider.reset()
    yield module_provider
    module_provider.release()


@pytest.fixture(scope="module")
def served(migrated, module_provider, tmp_path_factory):
    """Run the app with the file's provider, for all tests of a file."""
    folder = tmp_path_factory.mktemp("served") / "data"
    with running(migrated, folder, **module_provider.environment) as server:
        yield server


@pytest.fixture(autouse=True)
def quiet(request):
    yield from quiet_after(request)


@pytest.fixture
def ada(served, provider):
    """Return a person who is new to the app."""
    return Person(served)


@pytest.fixture
def fragile(app, provider):
    """Return a server only for this test, which may kill it."""
    return app(**provider.environment)


@pytest.fixture
def courier(served):
    """Return the file's server, with an empty outbox and an agent whose tools need approval."""
    return equip(served)


@pytest.fixture
def tab(ada):
    with ada.tab() as tab:
        yield tab


@pytest.fixture
def openai():
    """Run a stand-in for OpenAI that goes on with its answers in the background."""
    with StrictProvider(BackgroundResponses()) as provider:
        yield provider
        provider.family.gate.set()
