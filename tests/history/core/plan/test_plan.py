import json
from itertools import pairwise

import pytest
from hypothesis import given, reject

from history.core.draft.budget import DoesNotFit
from history.core.plan.plan import Plan
from history.core.plan.verdict import CHANGED, Verdict
from history.core.projection.project import project
from tests import transcripts
from tests.history.core import strategies
from tests.history.core.making import projected
from tests.history.core.strategies import thorough
from tests.transcripts import turns


def planned(case):
    """Plan a case; skip the example if its unremovable messages do not fit."""
    try:
        return project(*case).plan
    except DoesNotFit:
        reject()


@thorough
@given(strategies.cases())
def test_a_plan_goes_to_json_and_back(case):
    plan = planned(case)

    assert Plan.from_dict(json.loads(json.dumps(plan.as_dict()))) == plan
    assert Plan.from_dict(plan.as_dict()) == plan


def test_the_verdicts_are_the_papers_letters():
    assert "".join(Verdict) == "KAPTFSX!+"


def test_a_plan_answers_for_a_position():
    plan = projected(transcripts.INSTRUCTED, length=1).plan

    assert [str(plan.verdict_of(n)) for n in range(7)] == list("KTTKTTK")
    assert list(plan.sent_positions()) == [range(1), range(3, 4), range(6, 7)]
    assert [entry.positions for entry in plan.not_sent()] == [range(1, 3), range(4, 6)]


def test_a_position_outside_the_plan_is_an_error():
    with pytest.raises(LookupError, match="position 4 is not in this plan"):
        projected(turns(2)).plan.verdict_of(4)


@thorough
@given(strategies.cases())
def test_every_entry_but_a_plain_kept_one_has_a_sentence_and_a_rule(case):
    for entry in planned(case).entries:
        plain = entry.verdict is Verdict.KEPT and not entry.rule
        assert plain == (not entry.reasons)


def grounds(entry):
    return entry.verdict, entry.rule, entry.level, entry.reasons


@thorough
@given(strategies.cases())
def test_neighbours_are_folded(case):
    """Neighbours with equal verdicts and reasons are one entry. A message that is changed or has
    parts is an entry of its own, with its sizes.
    """
    entries = planned(case).entries
    alone = [entry for entry in entries if entry.verdict in CHANGED or entry.parts]
    neighbours = [
        (one, other)
        for one, other in pairwise(entries)
        if not {one.verdict, other.verdict} & {Verdict.INJECTED, *CHANGED}
        if not (one.parts or other.parts)
    ]

    assert all(grounds(one) != grounds(other) for one, other in neighbours)
    assert [entry.count for entry in alone] == [1] * len(alone)
