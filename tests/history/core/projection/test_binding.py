"""Bound reasoning that no longer fits is left out, and the plan names the first change before
it.
"""

from dataclasses import replace

import pytest

from history.core.plan.bonds import bond_of
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.neutral_request import in_order
from history.core.plan.plan import Plan
from history.core.projection.invariants import check
from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import Reasoning, ReasoningForm, reasoning_in
from history.core.transcript.reasoning_accepted import ReasoningAccepted
from history.core.words.facts import Rule, fact
from tests.history.core.making import ROOMY, of_transcript, requested
from tests.history.core.parted import agent, path, result, user

MODEL, TOOLS = "claude-opus-5-5", "tools"
TAKING = ReasoningAccepted("anthropic", ("signature",), bound_to=MODEL)
PROMPT = Injected(SYSTEM_PROMPT, Role.SYSTEM, "Be brief.", 3)
ALL = {**ROOMY, "reasoning_keep": 9}


def thought(tokens=60):
    return Reasoning(ReasoningForm.SIGNED, "Hm.", "anthropic", {"signature": f"{tokens}"}, tokens)


def called(id_, tokens):
    return agent(thought(tokens), text="", calls=(ToolCall(id_, "look", "{}", 5),))


BARE = path(
    user(),
    called("x", 10),
    result("x"),
    called("y", 20),
    result("y"),
    agent(thought(30)),
    user(),
)


def talk(values=ALL):
    """Return a conversation as it develops under these settings, and the plans behind its
    answers.
    """
    made, plans = list(BARE), {}
    for place, message in enumerate(BARE):
        if message.parts:
            began = 1 if place > 1 else None
            asked = asking(tuple(made[:place]), values, settled=began)
            plans[place] = asked.plan
            bond = bond_of(in_order(asked.messages, asked.injected), TOOLS, TAKING)
            parts = tuple(replace(part, bond=bond) for part in message.parts)
            made[place] = replace(message, parts=parts)
    return tuple(made), plans


def asking(messages, values=ALL, plans=None, **more):
    given = {"injected": (PROMPT,), "taking": TAKING, "tool_schema_digest": TOOLS}
    given |= {"behind": (plans or {}).get, **more}
    projection = requested(messages, values, **given)
    check(messages, projection)
    return projection


def thinking(projection):
    return [message.position for message in projection.messages if message.parts]


def test_after_an_unchanged_prefix_all_of_it_is_sent():
    messages, plans = talk()
    projection = asking(messages, plans=plans)

    assert thinking(projection) == [1, 3, 5]
    assert projection.plan.reasoning.unbound == {}


def placeholder(position):
    return fact(Rule.MESSAGE_BECAME, position=position, verdict="P", setting="tool_results_keep")


@pytest.mark.parametrize(
    ("more", "left", "change"),
    [
        pytest.param(
            {"injected": (replace(PROMPT, text="Be long."),)},
            [],
            fact(Rule.TEXT_CHANGED, label=SYSTEM_PROMPT),
            id="the prompt",
        ),
        pytest.param(
            {"exclusions": frozenset({2})}, [], fact(Rule.MESSAGE_GONE, position=1), id="a mark"
        ),
        pytest.param(
            {"values": {**ALL, "tool_results_keep": 1}}, [1], placeholder(2), id="a placeholder"
        ),
    ],
)
def test_what_changed_first_is_recorded(more, left, change):
    messages, plans = talk()
    projection = asking(messages, **{"plans": plans, **more})

    plan = projection.plan
    assert thinking(projection) == left
    assert set(plan.reasoning.unbound) | set(left) >= {5}
    assert plan.reasoning.unbound[5].rule is change.rule
    assert plan.reasoning.unbound[5].figures.items() >= change.figures.items()
    assert plan.reasoning_unsent["unbound"] > 0
    assert Plan.from_dict(plan.as_dict()) == plan


def test_without_a_plan_behind_it_only_that_something_changed():
    messages, _plans = talk()
    plan = asking(messages, injected=(replace(PROMPT, text="Be long."),)).plan

    assert plan.reasoning.unbound[5] == fact(Rule.PREFIX_CHANGED)


def test_a_model_accepts_only_its_own():
    messages, plans = talk()
    other = replace(TAKING, bound_to="claude-sonnet-5-5")
    projection = asking(messages, plans=plans, taking=other)

    assert thinking(projection) == []
    assert projection.plan.reasoning_unsent == {"other_model": 60}


def test_a_loop_that_lost_the_reasoning_it_began_with_goes_on_without_thinking():
    messages, plans = talk()
    minds = replace(TAKING, only_thinking=True, minds_loop=True)
    changed = (replace(PROMPT, text="Be long."),)
    plan = asking(messages[:5], plans=plans, taking=minds, injected=changed, settled=1).plan

    assert plan.reasoning.taking.foreign_loop
    assert plan.window.reasoning == 0
    assert Rule.THINKING_OFF in [note.fact.rule for note in plan.notes]


@pytest.mark.parametrize(
    ("prefix", "letters", "left"),
    [("free", "KKPKK", [1]), ("stable", "KKKKK", [1, 3])],
)
def test_a_stable_prefix_keeps_results_whole_while_tools_run(prefix, letters, left):
    values = {**ALL, "tool_results_keep": 1, "prefix": prefix}
    messages, plans = talk(values)
    projection = asking(messages[:5], values, plans, settled=1)

    assert of_transcript(projection.plan) == letters
    assert thinking(projection) == left


def test_a_turn_that_outgrows_the_window_is_decided_anew_and_then_stays():
    """All results before the newest round become placeholders again, as in the next request."""
    large = [replace(m, tokens=900 if m.role is Role.TOOL else m.tokens) for m in BARE]
    values = {**ALL, "tool_results_keep": 1, "prefix": "stable", "context_window": 1_500}
    values["max_message_tokens"] = 1_000
    plan = asking(path(*large[:5]), values, settled=1).plan

    assert of_transcript(plan) == "KKPKK"
    assert plan.settled == 5


@pytest.mark.parametrize(("prefix", "letters"), [("free", "KKKKK"), ("stable", "TTKKK")])
def test_in_a_stable_prefix_no_turn_comes_back_because_thinking_stopped(prefix, letters):
    """The first turn would fit beside the second one without its reasoning."""
    values = {**ALL, "token_budget": 560, "min_history_turns": 0, "prefix": prefix}
    minds = replace(TAKING, bound_to="", only_thinking=True, minds_loop=True)
    call = agent(text="", calls=(ToolCall("x", "look", "{}", 5),))
    messages = path(user(), agent(thought(290)), user(), call, result("x"))

    first, second = (asking(messages[:end], values, taking=minds, settled=3).plan for end in (3, 5))

    assert of_transcript(first) == "TTK"
    assert of_transcript(second) == letters
    assert second.reasoning.taking.foreign_loop


@pytest.mark.parametrize(
    ("at", "calls", "needs_sequel", "sent"),
    [
        (40, (), False, 1),
        (40, (), True, 1),
        (4_000, (), False, 1),
        (4_000, (), True, 0),
        (4_000, (ToolCall("x", "look", "{}", 5),), True, 1),
    ],
    ids=["within", "within, followed", "behind", "behind, not followed", "before a call"],
)
def test_reasoning_behind_a_shortened_text_goes_if_something_must_follow_it(
    at, calls, needs_sequel, sent
):
    """The text of 4,800 characters, with a thought in it, is shortened to fewer than 4,000."""
    said = agent(replace(thought(), at=at, bond=None), text="words " * 800, calls=calls)
    messages = path(user(), replace(said, tokens=900), *map(result, ["x"] if calls else []), user())
    taking = ReasoningAccepted("anthropic", ("signature",), needs_sequel=needs_sequel)

    projection = requested(messages, ALL | {"max_message_tokens": 200}, taking=taking)

    check(messages, projection)
    assert len(reasoning_in(projection.messages[1].parts)) == sent
    unsent = {} if sent else {"late": 60}
    assert projection.plan.reasoning_unsent == unsent
