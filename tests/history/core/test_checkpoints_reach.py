"""A summary that does not end before the current turn is not used, and the plan says so."""

from dataclasses import replace

import pytest

from history.core.projection.invariants import InvariantBroken, check
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.replay.outline import Outline
from history.core.summaries.checkpoints import Checkpoint
from history.core.words.facts import Rule, note
from tests.history.core.making import ROOMY, of_transcript, settings_of, transcript
from tests.transcripts import turns

ASKED = turns(3)[:-1]  # Its last message is the current turn.
USED = (*ASKED, *transcript("call c1 look", "result c1: x"))
EVERYTHING = ProjectionRequest(settings_of(**ROOMY))


def point(first, last, id_=7):
    return Checkpoint(id_, first, last, 1, 1, "they spoke", 5, 40)


def refused(first, last, id_=7):
    return note(Rule.SUMMARY_NOT_PAST, checkpoint=id_, first=first, last=last)


def refusals(plan):
    return [note for note in plan.notes if note.fact.rule is Rule.SUMMARY_NOT_PAST]


@pytest.mark.parametrize(
    ("last", "expected", "notes"),
    [
        pytest.param(3, "SSSSK", [], id="all before the current turn"),
        pytest.param(4, "KKKKK", [refused(0, 4)], id="the current message too"),
        pytest.param(5, "KKKKK", [refused(0, 5)], id="past the head"),
        pytest.param(10**9, "KKKKK", [refused(0, 10**9)], id="far past it"),
    ],
)
def test_a_summary_is_used_only_if_it_ends_before_the_current_turn(last, expected, notes):
    request = replace(EVERYTHING, checkpoints=(point(0, last),))
    projection = project(ASKED, request)

    check(ASKED, projection)
    assert of_transcript(projection.plan) == expected
    assert refusals(projection.plan) == notes
    assert Outline(ASKED, request).project(5, request).plan == projection.plan


def test_inside_a_turn_that_is_being_answered_it_is_not_used():
    messages = tuple(replace(m, position=n, turn=m.turn or 3) for n, m in enumerate(USED))
    request = replace(EVERYTHING, checkpoints=(point(0, 5),))
    projection = project(messages, request)

    assert of_transcript(projection.plan) == "KKKKKKK"
    assert Outline(messages, request).project(7, request).plan == projection.plan


def test_summaries_before_an_unusable_one_are_used():
    points = (point(0, 1, 6), point(2, 9))
    projection = project(ASKED, replace(EVERYTHING, checkpoints=points))

    assert of_transcript(projection.plan) == "SSKKK"
    assert refusals(projection.plan) == [refused(2, 9)]


def test_policy_none_sends_no_summary_and_so_says_nothing():
    request = ProjectionRequest(
        settings_of(**{**ROOMY, "policy": "none"}), checkpoints=(point(0, 9),)
    )

    assert refusals(project(ASKED, request).plan) == []


@pytest.mark.parametrize(
    "covers",
    [
        pytest.param((0, 4), id="the current message"),
        pytest.param((0, 9), id="past the head"),
        pytest.param((0, 1), id="less than what is left out for it"),
    ],
)
def test_the_invariants_see_a_summary_of_anything_else(covers):
    projection = project(ASKED, replace(EVERYTHING, checkpoints=(point(0, 3),)))
    (summary,) = projection.injected
    other = replace(projection, injected=(replace(summary, covers=covers),))

    check(ASKED, projection)
    with pytest.raises(InvariantBroken, match="a_summary_stands_for_what_is_past"):
        check(ASKED, other)


def test_nor_may_one_stand_where_nothing_was_read():
    """A reader must not begin after a summary that ends beyond the newest message."""
    projection = project(ASKED, replace(EVERYTHING, checkpoints=(point(0, 3),)))

    with pytest.raises(InvariantBroken, match="a_summary_stands_for_what_is_past"):
        check((), projection)
