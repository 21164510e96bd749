"""Keep tests on a shared server apart: no test begins while an earlier test's answer goes on."""

from collections.abc import Iterator

import pytest

from tests.patience import eventually


def quiet_after(request: pytest.FixtureRequest) -> Iterator[None]:
    """Wait until the test's answers have ended; they could use up places or replies of the next
    test.
    """
    if "served" not in request.fixturenames:
        yield
        return
    served, provider = map(request.getfixturevalue, ("served", "provider"))
    yield
    provider.release()
    assert eventually(lambda: not served.is_answering())
