"""One Chromium and one server for all tests in this folder; each test signs in its own people.

No test in this folder uses the ORM: Playwright keeps an event loop running in this thread.
"""

from contextlib import contextmanager

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.tab import PASSWORD, PHONE, Tab, note_complaints
from tests.clusters import clustered
from tests.patience import PATIENCE
from tests.people import Person
from tests.provider import Provider
from tests.quiet import quiet_after
from tests.running.raw_connections import warm
from tests.servers import manage, running

PATIENCE_MS = 1_000 * PATIENCE  # A tab may reconnect 20 s late.
ELSEWHERE = "--host-resolver-rules=MAP vitrine.test 127.0.0.1"  # A host without a secure context.
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="package")
def browser(chromium_path):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=[ELSEWHERE])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def package_provider():
    with Provider() as server:
        yield server


@pytest.fixture
def provider(package_provider):
    """Return the shared provider, without the requests and replies of the previous test."""
    package_provider.reset()
    yield package_provider
    package_provider.release()


@pytest.fixture(scope="package")
def served(request, migrated, package_provider, tmp_path_factory):
    """Run the app with the shared provider. A second host name, vitrine.test, leads to it, too."""
    folder = tmp_path_factory.mktemp("served") / "data"
    environment = {**package_provider.environment, "ALLOWED_HOSTS": "127.0.0.1,vitrine.test"}
    environment["PROVIDER_HOSTS"] = "127.0.0.0/8"
    with started(request, migrated, folder, **environment) as server:
        warm(Person(server))
        yield server


@contextmanager
def started(request, migrated, folder, **environment):
    """Run one server, or with `--cluster` two and two workers, reached through their proxy."""
    if not request.config.getoption("cluster"):
        with running(migrated, folder, **environment) as server:
            yield server
        return
    with clustered(migrated, folder, **environment) as cluster:
        yield cluster.door


@pytest.fixture(autouse=True)
def quiet(request):
    yield from quiet_after(request)


@pytest.fixture(scope="package")
def boss(served):
    """Make a superuser; return the name."""
    manage(
        served.folder,
        *("createsuperuser", "--noinput", "--username", "boss", "--email", "boss@example.org"),
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
        ENV_FILE="/dev/null",
    )
    return "boss"


@pytest.fixture
def complaints():
    """Collect the browser's errors during a test; fail the test if any remain at its end."""
    found = []
    yield found
    assert found == []


@pytest.fixture
def somebody(browser, complaints):
    """Return a function that makes a new browser context, whose errors are collected."""
    contexts = []

    def appear(**options):
        context = browser.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        note_complaints(context, complaints)
        return context

    yield appear
    for context in contexts:
        context.close()


@pytest.fixture
def tab(somebody, served, provider):
    """Return a tab of a person who is new to the app."""
    return Tab(somebody().new_page(), served)


@pytest.fixture
def phone(somebody, served, provider):
    """Return a tab on a phone, of a person who is new to the app."""
    return Tab(somebody(**PHONE).new_page(), served)
