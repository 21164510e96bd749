"""What every test starts from: nothing of this machine's environment, and no network."""

import itertools
import os
from contextlib import ExitStack
from pathlib import Path

import hypothesis
import pytest
from django.db import connections

from deploy import chromium
from history.core.caps import Caps
from history.core.resolution import environment_layer
from tests.servers import AppServer, migrated_folder, running

pytest_plugins = ["tests.provider"]

hypothesis.settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("untimed")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory):
    """Each run has a database file of its own, so that two runs do not meet."""
    name = tmp_path_factory.mktemp("database") / "test.sqlite3"
    connections["default"].settings_dict["TEST"]["NAME"] = str(name)


@pytest.fixture(autouse=True)
def no_environment(settings):
    """Whatever is set around the tests, a test starts from the defaults."""
    settings.HISTORY_ENVIRONMENT = environment_layer({})
    settings.HISTORY_CAPS = Caps()
    settings.HISTORY_URL_OVERRIDES = "everyone"
    settings.DEFAULT_MODEL = "demo/mirror"
    settings.ANONYMOUS_CHAT = True


@pytest.fixture(scope="session")
def migrated(tmp_path_factory) -> Path:
    """A data folder with every table and the demo agents, made once."""
    return migrated_folder(tmp_path_factory.mktemp("migrated"))


@pytest.fixture
def app(migrated, tmp_path):
    """Starts the real server as a process of its own, on a copy of the migrated folder."""
    folders = map("data{}".format, itertools.count())
    with ExitStack() as servers:

        def start(**environment: str) -> AppServer:
            folder = tmp_path / next(folders)
            server: AppServer = servers.enter_context(running(migrated, folder, **environment))
            return server

        yield start


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Without a Chromium its tests are skipped; where all must run, they fail."""
    if found := chromium.find():
        return found
    missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
    return missing("there is no Chromium on this machine")
