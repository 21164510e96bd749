"""Fixtures that tests of the core share, such as an empty registry of extensions."""

import hypothesis
import pytest

from history.core.settings import registry

hypothesis.settings.register_profile(
    "soak",
    max_examples=20_000,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)


@pytest.fixture
def empty_registry(monkeypatch):
    """Forget after each test whatever the test registered."""
    for table, start in (("processors", {}), ("pruners", {}), ("_expected", set())):
        monkeypatch.setattr(registry, table, start)


@pytest.fixture(autouse=True)
def no_environment():
    """Replace the general fixture: the core needs no environment, and its tests run thousands of
    cases.
    """


@pytest.fixture(autouse=True)
def media_folder():
    """Replace the general fixture: the core needs no folder for media."""
