"""A failed request is repeated after some errors, and not after others."""

import pytest

from chatapp.llm.errors import ErrorKind, ProviderError
from chatapp.llm.retries import Attempts


@pytest.mark.parametrize(
    ("kind", "wait", "made", "pause"),
    [
        pytest.param(ErrorKind.UNREACHABLE, None, 1, 0.5, id="at first a short pause"),
        pytest.param(ErrorKind.UNREACHABLE, None, 2, 1.0, id="then a longer one"),
        pytest.param(ErrorKind.UNREACHABLE, None, 3, None, id="then no more"),
        pytest.param(ErrorKind.OVERLOADED, 4.0, 1, 4.0, id="the provider's own pause"),
        pytest.param(ErrorKind.OVERLOADED, 60.0, 1, None, id="a minute is too long"),
        pytest.param(ErrorKind.RATE_LIMITED, 1.0, 2, 1.0, id="a limit that ends soon"),
        pytest.param(ErrorKind.RATE_LIMITED, None, 1, None, id="a limit without an end"),
        *[
            pytest.param(kind, 0.0, 1, None, id=f"never after {kind}")
            for kind in ErrorKind
            if kind not in {ErrorKind.UNREACHABLE, ErrorKind.OVERLOADED, ErrorKind.RATE_LIMITED}
        ],
    ],
)
def test_when_it_is_asked_again(kind, wait, made, pause):
    attempts = Attempts(made=made)

    assert attempts.pause_after(ProviderError(kind, "", wait), first_pause=0.5) == pause
