"""Fixtures for a conversation of four turns, of which the newest two are sent."""

import pytest

from tests.factories import make_agent


@pytest.fixture
def agent(db):
    return make_agent(history_settings={"policy": "lastN", "length": 2})


@pytest.fixture
def turns():
    return 4
