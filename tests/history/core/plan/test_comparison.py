"""The changes between two plans of one path, as runs of messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.draft.budget import DoesNotFit
from history.core.plan.comparison import VerdictChange, changes
from history.core.plan.verdict import Verdict
from history.core.projection.project import project
from history.core.words.facts import Rule
from tests.history.core import strategies
from tests.history.core.making import projected
from tests.history.core.strategies import thorough
from tests.transcripts import GREETED, turns

CASES = {
    "fewer turns": (
        {"policy": "lastN", "length": 4},
        {"policy": "lastN", "length": 2},
        [(2, 5, "K", "T")],
    ),
    "more turns": ({"policy": "none"}, {"policy": "all"}, [(0, 7, "T", "K")]),
    "the same": ({"policy": "all"}, {"policy": "lastN", "length": 9}, []),
}


@pytest.mark.parametrize(("before", "after", "expected"), CASES.values(), ids=CASES)
def test_changes_are_runs(before, after, expected):
    path = turns(5)[:-1]
    found = changes(projected(path, **before).plan, projected(path, **after).plan)

    assert [(c.first, c.last, c.was, c.now) for c in found] == expected


def test_a_change_says_why():
    few = projected(GREETED, policy="lastN", length=1).plan
    every = projected(GREETED, policy="all").plan

    (gone,) = changes(every, few)

    assert gone == VerdictChange(0, 2, Verdict.KEPT, Verdict.TRIMMED, few.entry_at(0))
    assert gone.entry.turns == (0, 1)
    assert [why.rule for why in gone.entry.reasons] == [Rule.POLICY]
    assert gone.count == 3


def letters(plan):
    """Map each position to its verdict's letter."""
    return {p: e.verdict for e in plan.entries for p in e.positions}


@thorough
@given(st.data(), strategies.transcripts())
def test_changes_are_exactly_where_the_verdicts_differ(data, path):
    requests = data.draw(st.tuples(strategies.requests(path), strategies.requests(path)))
    try:
        before, after = (project(path, request).plan for request in requests)
    except DoesNotFit:
        return
    was, now = letters(before), letters(after)

    found = [
        (place, change.was, change.now)
        for change in changes(before, after)
        for place in range(change.first, change.last + 1)
    ]

    assert found == [(p, was[p], now[p]) for p in sorted(now) if was[p] is not now[p]]
