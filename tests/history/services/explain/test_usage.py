"""What a reply took, in a line: a dash for all that is not known."""

import pytest

from history.services.explain.usage import bill_of

FULL = {"prompt": 1_205, "completion": 40, "cache_read": 1_000, "cache_write": 200}
COST = {"currency": "USD", "total": "0.0042149"}


@pytest.mark.parametrize(
    ("reported", "stored", "line"),
    [
        pytest.param(
            FULL,
            COST,
            "fresh 5, cache read 1,000, cache write 200, output 40 \N{MIDDLE DOT} cost $0.00421",
            id="all is known",
        ),
        pytest.param(
            FULL,
            None,
            "fresh 5, cache read 1,000, cache write 200, output 40 \N{MIDDLE DOT} cost \N{EM DASH}",
            id="no price",
        ),
        pytest.param(
            {"prompt": 50, "completion": 5},
            {"total": "0"},
            "fresh 50, cache read \N{EM DASH}, cache write \N{EM DASH}, output 5"
            " \N{MIDDLE DOT} cost $0.00",
            id="no word of a cache, and known to be free",
        ),
        pytest.param(
            {"prompt": 50, "completion": 5, "cache_read": 60},
            None,
            "fresh \N{EM DASH}, cache read 60, cache write \N{EM DASH}, output 5"
            " \N{MIDDLE DOT} cost \N{EM DASH}"
            " (the provider reported more cached tokens than the prompt had)",
            id="nonsense",
        ),
        pytest.param(
            None,
            None,
            "fresh \N{EM DASH}, cache read \N{EM DASH}, cache write \N{EM DASH},"
            " output \N{EM DASH} \N{MIDDLE DOT} cost \N{EM DASH}",
            id="nothing was reported",
        ),
    ],
)
def test_a_bill(reported, stored, line):
    assert str(bill_of(reported, stored)) == line
