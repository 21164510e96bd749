"""What every test starts from: nothing of this machine's environment, and no network."""

import shutil
from pathlib import Path

import hypothesis
import pytest
from django.db import connections

from history.core.resolution import environment_layer
from tests.servers import AppServer, migrated_folder

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
    started: list[AppServer] = []

    def start(**environment: str) -> AppServer:
        folder = tmp_path / f"data{len(started)}"
        shutil.copytree(migrated, folder)
        server = AppServer(folder, environment)
        started.append(server)
        server.start()
        return server

    yield start
    for server in started:
        server.close()
