"""People set pins and exclusions, which change what the next request contains."""

import pytest

from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.core.stages.marks import MOST_PINS
from history.core.transcript.messages import ToolCall
from history.core.words.facts import Rule, fact
from history.models import MessageMark
from history.services.access import Actor
from history.services.errors import Conflict, NotFound
from history.services.path.appending import append, assistant_message, result_message, user_message
from history.services.path.marks import NO_MARKS, Marks, mark, mark_all, marks_on
from history.services.path.reading import message_at
from tests.factories import (
    actor_for,
    add_plan,
    add_turn,
    add_turns,
    begin_turn,
    branch_of,
    end_turn,
    make_conversation,
    make_summary,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(history_settings={"policy": "lastN", "length": 2}),
    pytest.mark.turns(3),
]
CALL = ToolCall("c1", "search", "{}")


def put(conversation, position, kind):
    message = message_at(branch_of(conversation), position)
    return mark(actor_for(conversation), conversation.pk, message.pk, kind)


def next_plan(conversation):
    """Plan a further turn, and end its answer; return the plan."""
    generation = begin_turn(conversation)
    record = add_plan(generation)
    end_turn(generation)
    return Plan.from_dict(record.plan)


def test_a_pin_and_an_exclusion_count_from_the_next_plan_on(conversation):
    put(conversation, 0, "pin")
    put(conversation, 4, "exclusion")

    plan = next_plan(conversation)

    assert [plan.verdict_of(position) for position in range(7)] == list("KTTTXKK")
    assert plan.entry_at(0).reasons == (fact(Rule.PINNED),)
    assert plan.entry_at(4).reasons == (fact(Rule.EXCLUDED),)


def test_what_is_taken_back_leaves_no_trace_in_a_plan(conversation):
    put(conversation, 0, "pin")
    put(conversation, 0, None)

    assert next_plan(conversation).verdict_of(0) is Verdict.TRIMMED
    assert not MessageMark.objects.exists()


def test_the_other_mark_takes_the_place_of_the_first(conversation):
    put(conversation, 4, "pin")
    put(conversation, 4, "exclusion")

    assert marks_on(branch_of(conversation)) == Marks(exclusions=frozenset({4}))


def test_a_mark_is_of_the_whole_segment(conversation):
    branch = branch_of(conversation)
    round_trip = [assistant_message("", [CALL]), result_message(CALL, "It", failed=False)]
    append(branch, [user_message("Find it"), *round_trip, assistant_message("Found")])

    head = put(conversation, 8, "exclusion")
    plan = next_plan(conversation)

    assert head.position == 7
    assert [plan.verdict_of(position) for position in range(6, 10)] == list("KXXK")


def test_the_current_turn_may_be_marked_with_effect_later(conversation):
    generation = begin_turn(conversation, "Forget this")
    put(conversation, 6, "exclusion")

    assert Plan.from_dict(add_plan(generation).plan).verdict_of(6) is Verdict.KEPT
    end_turn(generation)
    assert next_plan(conversation).verdict_of(6) is Verdict.EXCLUDED


def test_a_mark_does_not_speak_for_a_branch_without_its_message(conversation):
    put(conversation, 4, "exclusion")
    fork = conversation.branches.create(lineage=branch_of(conversation).fork_lineage(3))

    assert marks_on(fork) == NO_MARKS


@pytest.mark.words
def test_one_pin_too_many_is_refused_and_changes_nothing(conversation):
    add_turns(conversation, MOST_PINS)
    for position in range(MOST_PINS):
        put(conversation, position, "pin")
    put(conversation, MOST_PINS, "exclusion")

    with pytest.raises(Conflict, match="You can pin at most 20 messages"):
        put(conversation, MOST_PINS, "pin")

    assert marks_on(branch_of(conversation)).exclusions == {MOST_PINS}


def put_all(conversation, kinds):
    """Set marks by position; return the former marks, also by position."""
    ids = {message_at(branch_of(conversation), place).pk: place for place in kinds}
    wanted = {pk: kinds[place] for pk, place in ids.items()}
    before = mark_all(actor_for(conversation), conversation.pk, wanted)
    return {ids[pk]: kind for pk, kind in before.items()}


def test_what_several_marks_replace_undoes_them(conversation):
    put(conversation, 1, "pin")
    put(conversation, 2, "exclusion")
    marked = marks_on(branch_of(conversation))

    before = put_all(conversation, {0: "pin", 1: "exclusion", 2: None})
    assert marks_on(branch_of(conversation)) == Marks(frozenset({0}), frozenset({1}))
    assert before == {0: None, 1: "pin", 2: "exclusion"}
    put_all(conversation, before)

    assert marks_on(branch_of(conversation)) == marked


def test_several_marks_are_set_all_or_none(conversation):
    add_turns(conversation, MOST_PINS)
    for position in range(1, MOST_PINS):
        put(conversation, position, "pin")
    marked = marks_on(branch_of(conversation))

    with pytest.raises(Conflict):
        put_all(conversation, {0: "exclusion", 30: "pin", 31: "pin"})

    assert marks_on(branch_of(conversation)) == marked
    assert put_all(conversation, {1: None, 30: "pin", 31: "pin"}) == {1: "pin", 30: None, 31: None}


def test_one_message_of_another_conversation_leaves_all_unmarked(conversation):
    other = make_conversation(conversation.agent)
    add_turn(other)
    own, foreign = (message_at(branch_of(c), 0).pk for c in (conversation, other))

    with pytest.raises(NotFound):
        mark_all(actor_for(conversation), conversation.pk, {own: "pin", foreign: "pin"})

    assert marks_on(branch_of(conversation)) == NO_MARKS


def test_nobody_marks_the_messages_of_another(conversation):
    message = message_at(branch_of(conversation), 0)

    with pytest.raises(NotFound):
        mark(Actor(visitor="b" * 32), conversation.pk, message.pk, "pin")


def test_a_message_of_another_conversation_is_not_there(conversation):
    other = make_conversation(conversation.agent, visitor=conversation.visitor)
    add_turn(other)

    with pytest.raises(NotFound):
        mark(actor_for(conversation), conversation.pk, message_at(branch_of(other), 0).pk, "pin")


def test_an_exclusion_inside_a_summary_takes_the_summary_out(conversation):
    """The summary contains the excluded words. Without the exclusion, it is used again."""
    make_summary(conversation)
    conversation.agent.history_settings = {"policy": "all", "summarize": True}
    conversation.agent.save()
    conversation.refresh_from_db()
    assert next_plan(conversation).verdict_of(0) is Verdict.SUMMARISED

    put(conversation, 1, "exclusion")
    assert [next_plan(conversation).verdict_of(p) for p in range(4)] == list("KXKK")

    put(conversation, 1, None)
    assert next_plan(conversation).verdict_of(1) is Verdict.SUMMARISED
