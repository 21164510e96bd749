"""The surroundings of every test: default settings, no outside variables, and no network."""

import itertools
import os
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import hypothesis
import pytest
from django.conf import settings
from django.db import connections
from django.test import override_settings
from whitenoise.middleware import WhiteNoiseMiddleware

from agents.catalogue import catalogue as registered_catalogue
from agents.catalogue import register_catalogue
from agents.providers import directory
from chatapp.accounts.hashing import BoundedHasher
from chatapp.databases.connection_settings import database
from deploy import chromium
from history.core.settings.caps import Caps
from history.core.settings.layers import environment_layer
from tests import data, gibberish, postgres
from tests.catalogue import StandIn
from tests.making_once import made_once, shared_folder
from tests.servers import AppServer, migrated_folder, running

pytest_plugins = [
    "tests.bucket",
    "tests.chats",
    "tests.provider",
    "tests.redis_fixtures",
    "tests.suites",
]

hypothesis.settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("untimed")


def pytest_addoption(parser):
    parser.addoption(
        "--database",
        choices=["sqlite", "postgresql"],
        default=os.environ.get("DATABASE", "sqlite"),
        help="the database of the tests; for PostgreSQL they start a server of their own",
    )
    parser.addoption(
        "--cluster",
        action="store_true",
        help="let the browser talk to two servers with two workers (with --database=postgresql)",
    )
    parser.addoption(
        "--gibberish",
        action="store_true",
        help="let history.wording say nothing; tests of what people read are skipped",
    )


def pytest_configure(config):
    """Start one database server for the whole run; the processes of xdist inherit its address."""
    if not hasattr(config, "workerinput"):
        os.environ["DATABASE_URL"] = ""
        if config.getoption("database") == "postgresql":
            server = ExitStack()
            config.add_cleanup(server.close)
            os.environ["DATABASE_URL"] = server.enter_context(postgres.serving())
    if config.getoption("gibberish"):
        gibberish.install()
    # Django was set up before pytest read its options, so DATABASES is set again.
    settings.DATABASES["default"] = database(Path(settings.DATA_DIR), data.server())
    connections.settings = connections.configure_settings(settings.DATABASES)
    del connections["default"]


def pytest_collection_modifyitems(config, items):
    if "soak" not in config.option.markexpr:
        soaks = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=soaks)
        items[:] = [item for item in items if item not in soaks]
    if config.getoption("gibberish"):
        skipped = pytest.mark.skip(reason="it is about words")
        for item in items:
            if item.get_closest_marker("words"):
                item.add_marker(skipped)


@pytest.fixture(autouse=True)
def no_stored_providers():
    """Forget stored providers, so that no test sees another test's, or queries the database."""
    directory.hold(directory.Directory())


@pytest.fixture(autouse=True, scope="session")
def static_files_found_once():
    """Let WhiteNoise look for static files once, instead of once for each test client."""
    found = {}
    find = WhiteNoiseMiddleware.add_files_from_finders

    def find_once(middleware):
        if not found:
            find(middleware)
            found.update(middleware.files)
        middleware.files.update(found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", find_once)
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory):
    """Give each test process a database of its own."""
    file = tmp_path_factory.mktemp("database") / "test.sqlite3"
    name = f"test_{uuid4().hex}" if data.server() else str(file)
    connections["default"].settings_dict["TEST"]["NAME"] = name


@pytest.fixture(scope="session")
def django_db_keepdb():
    """Never drop a PostgreSQL database: that fails while a thread is connected to it. The whole
    server is deleted after the run.
    """
    return bool(data.server())


@pytest.fixture(autouse=True, scope="session")
def no_environment():
    """Start every test from the default settings, whatever variables surround the tests."""
    defaults = override_settings(
        HISTORY_ENVIRONMENT=environment_layer({}),
        HISTORY_CAPS=Caps(),
        HISTORY_URL_OVERRIDES="everyone",
        DEFAULT_MODEL="demo/mirror",
        ANONYMOUS_CHAT=True,
    )
    with defaults, pytest.MonkeyPatch.context() as patch:
        patch.setattr(BoundedHasher, "iterations", 1_000)  # The usual number costs 0.3 s a sign-in.
        yield


@pytest.fixture(scope="session")
def media_folders(tmp_path_factory):
    """Return the parent folder of the folders in which the tests keep files."""
    return tmp_path_factory.mktemp("media")


@pytest.fixture(autouse=True)
def media_folder(settings, media_folders):
    """Give each test an empty folder of its own for media."""
    location = media_folders / uuid4().hex
    folder = {"location": str(location)}
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {**settings.STORAGES["default"], "OPTIONS": folder},
    }
    return location


@pytest.fixture
def catalogue():
    """Replace the app's catalogue of models by one that the test can change."""
    known = registered_catalogue()
    register_catalogue(stand_in := StandIn.of(known))
    yield stand_in
    register_catalogue(known)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory) -> Path:
    """Return a data folder with every table and the demo agents, made once for all processes."""
    folder = shared_folder(tmp_path_factory) / "migrated"
    with made_once(folder) as is_first:
        if is_first:
            migrated_folder(folder)
    return folder


@pytest.fixture
def app(migrated, tmp_path):
    """Return a function that starts the real server as a process, on a copy of the migrated
    folder.
    """
    folders = map("data{}".format, itertools.count())
    with ExitStack() as servers:

        def start(**environment: str) -> AppServer:
            folder = tmp_path / next(folders)
            server: AppServer = servers.enter_context(running(migrated, folder, **environment))
            return server

        yield start


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return the path of a Chromium. Without one, skip the test, or fail if CI demands it."""
    if found := chromium.find():
        return found
    missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
    return missing("there is no Chromium on this machine")
