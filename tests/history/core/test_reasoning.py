"""Reasoning is sent within its turn, of earlier turns as the setting says, and whole or not."""

import pytest

from history.core.facts import Rule
from history.core.messages import ToolCall
from history.core.money.prefix import shared_prefix
from history.core.parts import Reasoning
from history.core.plan.plan import Plan
from history.core.projection.invariants import check
from history.core.stages.processors import parse_levels
from tests.history.core.making import ROOMY, projected, requested
from tests.history.core.parted import agent, path, result, rounds, thought, user

THREE = path(user(), agent(thought(10)), user(), agent(thought(20)), user(), *rounds(2))


def reasoning(projection):
    return {m.position: m.parts[0].tokens for m in projection.messages if m.parts}


def asked(messages, **values):
    projection = projected(messages, **{**ROOMY, **values})
    check(messages, projection)
    return projection


@pytest.mark.parametrize(
    ("keep", "sent", "first", "left_out"),
    [
        pytest.param(0, {5: 60, 7: 60}, 3, 30, id="the current turn's always"),
        pytest.param(1, {3: 20, 5: 60, 7: 60}, 2, 10, id="of one turn before"),
        pytest.param(9, {1: 10, 3: 20, 5: 60, 7: 60}, -6, 0, id="of all"),
    ],
)
def test_turn_numbers_decide(keep, sent, first, left_out):
    projection = asked(THREE, reasoning_keep=keep)

    plan = projection.plan
    assert reasoning(projection) == sent
    assert (plan.reasoning_from, plan.reasoning_left_out) == (first, left_out)
    assert plan.window.reasoning == sum(sent.values())
    assert plan.window.texts == plan.window.history - sum(sent.values())
    assert Plan.from_dict(plan.as_dict()) == plan


def test_what_is_left_out_makes_no_entries():
    long = path(*(m for _ in range(50) for m in (user(), agent(thought()))), user())

    assert [entry.count for entry in asked(long).plan.entries] == [100, 1]


def test_before_any_question_there_is_no_current_turn():
    assert reasoning(asked(path(agent(thought())))) == {}
    assert reasoning(asked(path(agent(thought())), reasoning_keep=1)) == {0: 60}


CALLS = (ToolCall("a", "look", "{}", 5), ToolCall("b", "read", "{}", 5))
BOTH = path(
    user(), agent(thought(), text="Wait.", calls=CALLS), result("a"), result("b"), agent(), user()
)


@pytest.mark.parametrize(
    ("filtered", "sent"),
    [
        pytest.param({}, {}, id="all calls gone"),
        pytest.param({"exclude": ["look"]}, {}, id="one call gone"),
        pytest.param({"exclude": ["other"]}, {1: 60}, id="kept whole"),
    ],
)
def test_what_lost_calls_loses_its_reasoning(filtered, sent):
    levels = parse_levels({"agent": [{"use": "tool_call_filter", **filtered}]})
    projection = requested(BOTH, {**ROOMY, "reasoning_keep": 5}, levels=levels)

    check(BOTH, projection)
    assert reasoning(projection) == sent


def test_a_call_without_its_result_takes_the_reasoning_along():
    messages = path(user(), agent(thought(), text="Wait.", calls=CALLS), result("a"))

    assert reasoning(asked(messages)) == {}


def test_the_next_turn_tells_what_the_prefix_ends_with():
    before = asked(path(user(), *rounds(1))).plan
    after = asked(path(user(), *rounds(1), agent(), user())).plan

    prefix = shared_prefix(before, after)
    assert prefix.tokens == 100
    assert prefix.first_difference.rule is Rule.REASONING_LEFT
    assert prefix.now.position == 1


@pytest.mark.parametrize(("family", "sent"), [("claude", {5: 60, 7: 60}), ("gemini", {})])
def test_nobody_gets_what_another_thought(family, sent):
    projection = requested(THREE, ROOMY, reasoning_family=family)

    check(THREE, projection)
    assert reasoning(projection) == sent


def test_it_goes_back_as_it_came():
    sent = asked(THREE).messages[5].parts

    assert sent == (thought(60),)
    assert isinstance(sent[0], Reasoning)
