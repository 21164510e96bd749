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
    """Give the test a table of context providers of its own."""
    own = {}
    for module in (parts, gathering):
        monkeypatch.setattr(module, "PROVIDERS", own)
    return own
