"""Tests that share a server: no answer of one goes on in the next."""

from collections.abc import Iterator

import pytest

from tests.patience import eventually


def quiet_after(request: pytest.FixtureRequest) -> Iterator[None]:
    """Wait until none is being written: it would hold a place, or take another one's reply."""
    if "served" not in request.fixturenames:
        yield
        return
    served, provider = map(request.getfixturevalue, ("served", "provider"))
    yield
    provider.release()
    assert eventually(lambda: not served.is_answering())
