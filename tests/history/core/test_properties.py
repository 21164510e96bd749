"""Properties of every transcript with any settings and marks. `make soak` tries more examples."""

from hypothesis import event, given
from hypothesis import strategies as st

from history.core.draft.budget import DoesNotFit
from history.core.plan.neutral_request import canonical
from history.core.plan.verdict import Verdict
from history.core.projection.invariants import check
from history.core.projection.project import project
from history.core.transcript.messages import Unread
from history.core.words.errors import NeedsMore
from tests.history.core import readings, strategies
from tests.history.core.strategies import thorough


def outcome(messages, request):
    """Return the stored plan with what is sent; or the reason why nothing can be sent."""
    try:
        projection = project(messages, request)
    except DoesNotFit as error:
        event("does not fit")
        return str(error)
    check(messages, projection)
    return canonical(projection.plan.as_dict()), projection.messages, projection.injected


def attempt(messages, request):
    """Return the outcome, or the place before which more messages must be read."""
    try:
        return outcome(messages, request)
    except NeedsMore as error:
        event("needs more")
        return error.before


@thorough
@given(strategies.cases())
def test_any_projection_keeps_every_invariant_and_is_the_same_twice(case):
    assert outcome(*case) == outcome(*case)


@thorough
@given(st.data(), strategies.cases())
def test_what_was_left_unread_makes_no_difference(data, case):
    path, request = case
    part = data.draw(readings.honest(path, request))
    found = attempt(part, request)

    if isinstance(found, int):
        assert any(isinstance(item, Unread) and item.first < found for item in part)
    else:
        assert found == outcome(path, request)


@thorough
@given(strategies.cases())
def test_a_reader_that_goes_back_turn_by_turn_ends_with_the_same(case):
    path, request = case
    attempts = (
        attempt(readings.read_from(start, path, request), request)
        for start in readings.starts(path, request)
    )
    first = next(found for found in attempts if not isinstance(found, int))

    assert first == outcome(path, request)


@thorough
@given(strategies.cases(strategies.well_formed()))
def test_a_well_formed_transcript_needs_no_repair(case):
    try:
        plan = project(*case).plan
    except DoesNotFit:
        return

    assert Verdict.REPAIRED not in {entry.verdict for entry in plan.entries}


@thorough
@given(strategies.unasked_cases())
def test_without_a_user_message_the_same_holds_wherever_it_ends(case):
    assert outcome(*case) == outcome(*case)
