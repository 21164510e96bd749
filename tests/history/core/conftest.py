"""What the core's tests share: how hard properties are tried, and an empty registry."""

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
    """What a test registers is gone after it."""
    for table, start in (("processors", {}), ("pruners", {}), ("_expected", set())):
        monkeypatch.setattr(registry, table, start)


@pytest.fixture(autouse=True)
def no_environment():
    """The core has none, so that its thousands of cases need not set one up."""


@pytest.fixture(autouse=True)
def media_folder():
    """The core has no files either."""
