import pytest

from tests.history.services import summarisers


@pytest.fixture(autouse=True)
def forgetful_summariser():
    summarisers.asked.clear()
