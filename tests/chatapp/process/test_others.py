"""A process counts as dead once it was absent in several looks in a row."""

from collections import deque

import pytest

from chatapp.process.others import ABSENCES, _always

GONE, BOTH, NONE = frozenset({"gone"}), frozenset({"gone", "late"}), frozenset[str]()


@pytest.mark.parametrize(
    ("looks", "found"),
    [
        ([], NONE),
        ([GONE] * (ABSENCES - 1), NONE),
        ([GONE] * ABSENCES, GONE),
        ([GONE, BOTH, GONE], GONE),
        ([GONE, NONE, GONE], NONE),
        ([NONE, GONE, BOTH, BOTH], GONE),
    ],
    ids=["no look", "too few", "enough", "one came back", "a flicker", "the newest looks count"],
)
def test_only_what_all_of_the_last_looks_found_counts(looks, found):
    assert _always(deque(looks, maxlen=ABSENCES)) == found
