from datetime import UTC, datetime
from uuid import UUID

import pytest

from agents.context import Facts, gathering, parts


@pytest.fixture
def facts():
    return Facts(
        now=datetime(2026, 11, 22, 14, 5, tzinfo=UTC),
        person="Ada",
        agent="Helper",
        turn=3,
        conversation=UUID(int=1),
    )


@pytest.fixture
def providers(monkeypatch):
    """Replace the table of context providers by one of the test's own."""
    own = {}
    for module in (parts, gathering):
        monkeypatch.setattr(module, "PROVIDERS", own)
    return own
