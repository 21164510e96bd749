"""Reasoning is sent whole or not at all, within its turn, and as long after as the setting says."""

from dataclasses import replace

import pytest

from history.core.money.prefix import shared_prefix
from history.core.plan.injected import Injected
from history.core.plan.plan import Plan
from history.core.projection.invariants import check
from history.core.stages.processors import parse_levels
from history.core.transcript.bond import Bond
from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import ALTERED, Reasoning, ReasoningForm
from history.core.transcript.reasoning_accepted import ReasoningAccepted
from history.core.words.facts import Rule
from tests.history.core.making import ROOMY, of_transcript, projected, requested
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
    assert plan.reasoning.first == first
    assert plan.reasoning_unsent == ({"earlier": left_out} if left_out else {})
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


def test_claude_takes_no_reasoning_behind_a_text():
    """The filter removes a message's calls and its reasoning. Claude joins the text that remains to
    the answer after it, so that answer's reasoning cannot be sent, either.
    """
    messages = path(*BOTH[:4], agent(thought(7)), user())
    levels = parse_levels({"agent": [{"use": "tool_call_filter"}]})
    sent = {
        minds: requested(
            messages,
            {**ROOMY, "reasoning_keep": 5},
            levels=levels,
            taking=ReasoningAccepted(minds_loop=minds),
        )
        for minds in (True, False)
    }

    assert reasoning(sent[False]) == {4: 7}
    assert reasoning(sent[True]) == {}
    assert sent[True].plan.reasoning_unsent == {"calls": 60, "late": 7}
    check(messages, sent[True])


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
    assert shared_prefix(after, before).first_difference.rule is Rule.REASONING_AGAIN


ALL = {5: 60, 7: 60}
TAKINGS = [
    pytest.param(ReasoningAccepted("claude"), ALL, {"earlier": 30}, id="its own"),
    pytest.param(
        ReasoningAccepted("gemini"), {}, {"earlier": 30, "other_family": 120}, id="another's"
    ),
    pytest.param(ReasoningAccepted(""), {}, {"earlier": 30, "no_taker": 120}, id="nobody's"),
    pytest.param(
        ReasoningAccepted("claude", withheld_by="lab"),
        {},
        {"earlier": 30, "withheld": 120},
        id="withheld",
    ),
    pytest.param(
        ReasoningAccepted(fields=("signature",)), ALL, {"earlier": 30}, id="with its signature"
    ),
    pytest.param(
        ReasoningAccepted(fields=("type",)),
        {},
        {"earlier": 30, "other_form": 120},
        id="in another form",
    ),
    pytest.param(
        ReasoningAccepted(thinks=False, only_thinking=True),
        {},
        {"earlier": 30, "no_effort": 120},
        id="thinking is off",
    ),
    pytest.param(ReasoningAccepted(thinks=False), ALL, {"earlier": 30}, id="also without thinking"),
    pytest.param(
        ReasoningAccepted("claude", minds_loop=True), ALL, {"earlier": 30}, id="its own loop"
    ),
]


@pytest.mark.parametrize(("taking", "sent", "unsent"), TAKINGS)
def test_what_the_model_does_not_take_is_neither_sent_nor_counted(taking, sent, unsent):
    projection = requested(THREE, ROOMY, taking=taking)

    check(THREE, projection)
    plan = projection.plan
    assert reasoning(projection) == sent
    assert plan.reasoning_unsent == unsent
    assert plan.window.reasoning == sum(sent.values())
    assert Plan.from_dict(plan.as_dict()) == plan


MINDS = ReasoningAccepted("claude", only_thinking=True, minds_loop=True)
BY_ANOTHER = replace(thought(), family="gemini")
UNSIGNED = replace(thought(), form=ReasoningForm.TEXT)


@pytest.mark.parametrize(
    "begun",
    [pytest.param((BY_ANOTHER,), id="by another model"), pytest.param((UNSIGNED,), id="unsigned")],
)
def test_a_loop_begun_without_own_reasoning_turns_thinking_off(begun):
    loop = agent(*begun, text="", calls=(ToolCall("x", "look", "{}", 5),))
    messages = path(user(), loop, result("x"), *rounds(1))
    projection = requested(messages, ROOMY, taking=MINDS)

    check(messages, projection)
    plan = projection.plan
    assert reasoning(projection) == {}
    assert plan.reasoning_unsent.get("foreign_loop", 0) >= 60
    assert Rule.THINKING_OFF in [each.fact.rule for each in plan.notes]


HALF = agent(UNSIGNED, text="Half")


@pytest.mark.parametrize(
    ("messages", "goes_on"),
    [
        pytest.param(path(user(), HALF), False, id="an answer ended the loop"),
        pytest.param(path(user(), HALF, *rounds(1)), True, id="a result is one message with it"),
    ],
)
def test_a_request_that_ends_with_the_user_goes_on_with_no_ended_loop(messages, goes_on):
    asks = Injected("continue", Role.USER, "Go on.", 3, "end")
    projection = requested(messages, ROOMY, taking=MINDS, injected=(asks,))

    check(messages, projection)
    assert projection.plan.reasoning.taking.foreign_loop == goes_on


def test_sealed_thinking_cannot_be_sent_beside_thinking_between_texts():
    """litellm can pass sealed thinking on only at a message's start."""
    bond = Bond("claude-opus-5-5", "")
    sealed = Reasoning(ReasoningForm.REDACTED, "", "claude", {"data": "d"}, 10, bond=bond)
    messages = path(user(), agent(sealed, replace(thought(), at=3, bond=bond)), user())
    taking = replace(MINDS, bound_to="claude-opus-5-5")
    projection = requested(messages, {**ROOMY, "reasoning_keep": 1}, taking=taking)

    check(messages, projection)
    assert reasoning(projection) == {}
    assert projection.plan.reasoning_unsent == {"other_form": 70}


def test_what_was_altered_takes_the_rest_of_its_message_along():
    odd = replace(thought(), fields={"signature": "s", ALTERED: True})
    projection = requested(path(user(), agent(thought(10), odd)), ROOMY)

    assert reasoning(projection) == {}
    assert projection.plan.reasoning_unsent == {"altered": 70}


def test_of_a_message_only_what_is_taken_is_sent():
    summary = Reasoning(ReasoningForm.SUMMARY, "In short.", "claude", {"field": "x"}, 5)
    messages = path(user(), agent(summary, thought()))
    projection = requested(messages, ROOMY, taking=ReasoningAccepted(fields=("signature",)))

    check(messages, projection)
    (part,) = projection.plan.entry_at(1).parts
    assert (part.place, part.tokens) == (1, 60)
    assert projection.plan.reasoning_unsent == {"other_form": 5}


def test_it_goes_back_as_it_came():
    sent = asked(THREE).messages[5].parts

    assert sent == (thought(60),)
    assert isinstance(sent[0], Reasoning)


def test_reasoning_does_not_count_against_the_limit_of_a_message():
    messages = path(user(), agent(thought(300)), user(), agent(), user())
    projection = asked(messages, reasoning_keep=9, max_message_tokens=100)

    assert of_transcript(projection.plan) == "KKKKK"
    assert reasoning(projection) == {1: 300}
