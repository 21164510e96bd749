import json
from itertools import pairwise

import pytest
from hypothesis import given

from history.core.plan import Plan, Verdict
from history.core.projection import project
from tests import transcripts
from tests.history.core import strategies
from tests.history.core.making import projected
from tests.transcripts import turns


@given(strategies.transcripts(), strategies.requests())
def test_a_plan_goes_to_json_and_back(messages, request):
    plan = project(messages, request).plan

    assert Plan.from_json(plan.to_json()) == plan
    assert Plan.from_dict(plan.as_dict()) == plan


def test_the_json_has_sorted_keys_and_no_blanks():
    text = projected(turns(2), length=1).plan.to_json()

    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))


def test_the_verdicts_are_the_papers_letters():
    assert "".join(Verdict) == "KAPTFSX!+"
    assert Verdict.REPAIRED.word == "repaired"


def test_a_plan_answers_for_a_position():
    plan = projected(transcripts.INSTRUCTED, length=1).plan

    assert [str(plan.verdict_of(n)) for n in range(7)] == list("KTTKTTK")
    assert list(plan.sent_positions()) == [range(1), range(3, 4), range(6, 7)]
    assert [entry.positions for entry in plan.not_sent()] == [range(1, 3), range(4, 6)]


def test_a_position_outside_the_plan_is_an_error():
    with pytest.raises(LookupError, match="position 4 is not in this plan"):
        projected(turns(2)).plan.verdict_of(4)


@given(strategies.transcripts(), strategies.requests())
def test_every_entry_but_a_plain_kept_one_has_a_sentence_and_a_rule(messages, request):
    for entry in project(messages, request).plan.entries:
        plain = entry.verdict is Verdict.KEPT and not entry.rule
        assert plain == (not entry.reason)


@given(strategies.transcripts(), strategies.requests())
def test_neighbours_are_folded(messages, request):
    grounds = [
        (e.verdict, e.rule, e.reason if e.rule == "pairs" else e.reason.partition("; ")[2])
        for e in project(messages, request).plan.entries
        if e.verdict is not Verdict.INJECTED
    ]

    assert all(a != b for a, b in pairwise(grounds))
