"""Tests that share a server: no answer begun in one test goes on in the next."""

from collections.abc import Iterator

import pytest

from tests.patience import eventually


def quiet_after(request: pytest.FixtureRequest) -> Iterator[None]:
    """Wait until the test's answers have ended: they would occupy places, or use up later
    replies.
    """
    if "served" not in request.fixturenames:
        yield
        return
    served, provider = map(request.getfixturevalue, ("served", "provider"))
    yield
    provider.release()
    assert eventually(lambda: not served.is_answering())
