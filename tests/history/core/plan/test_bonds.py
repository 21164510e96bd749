"""The blocks of reasoning that can be sent form a chain: nothing before each block has changed."""

from dataclasses import replace

import pytest

from history.core.plan.bonds import bond_of, fitting
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import Reasoning, ReasoningForm
from history.core.transcript.reasoning_accepted import ReasoningAccepted
from tests.history.core.parted import agent, path, result, user

TOOLS = "digest"
CLAUDE = ReasoningAccepted("anthropic", minds_loop=True, bound_to="claude-opus-5-5")
PROMPT = Injected(SYSTEM_PROMPT, Role.SYSTEM, "Be brief.", 3)


def thinking(text, at=0):
    return Reasoning(ReasoningForm.SIGNED, text, "anthropic", {"signature": text}, at=at)


def written(messages, prompt=PROMPT, tools=TOOLS):
    """Bind each message's reasoning to a request with everything before the message."""
    made = []
    for message in messages:
        bond = bond_of([prompt, *made], tools, CLAUDE)
        parts = tuple(replace(part, bond=bond) for part in message.parts)
        made.append(replace(message, parts=parts))
    return made


def without(message):
    return replace(message, parts=())


THREE = written(
    path(user(), agent(thinking("a")), user(), agent(thinking("b")), user(), agent(thinking("c")))
)


def fit(messages, prompt=PROMPT, tools=TOOLS):
    return sorted(fitting([prompt, *messages], tools, CLAUDE))


def test_all_of_an_unchanged_request():
    assert fit(THREE) == [1, 3, 5]


@pytest.mark.parametrize(
    ("messages", "left"),
    [
        pytest.param([*THREE[:1], without(THREE[1]), *THREE[2:]], [3, 5], id="the first may lack"),
        pytest.param([*THREE[:3], without(THREE[3]), *THREE[4:]], [5], id="none between may"),
        pytest.param([*THREE[:5], without(THREE[5])], [1, 3], id="the last may"),
        pytest.param([replace(THREE[0], text="Other"), *THREE[1:]], [], id="the first text"),
        pytest.param(
            [*THREE[:4], replace(THREE[4], text="?"), THREE[5]], [1, 3], id="a later text"
        ),
        pytest.param(THREE[2:], [], id="the start of the window"),
    ],
)
def test_what_fits_after_a_change(messages, left):
    assert fit(messages) == left


def test_prompt_and_tools_precede_everything():
    assert fit(THREE, prompt=replace(PROMPT, text="Be long.")) == []
    assert fit(THREE, tools="others") == []


def test_calls_without_tools_are_sent_with_a_tool_that_stands_in():
    call = ToolCall("c1", "clock", "{}")
    asked = agent(thinking("b"), calls=(call,))
    talk = [user(), agent(thinking("a")), user(), asked, result("c1"), agent(thinking("c"))]
    messages = written(path(*talk), tools="")

    assert fit(messages[:4], tools="") == []
    assert fit(messages[:3], tools="") == [1]
    assert fit([*messages[:3], without(messages[3]), *messages[4:]], tools="") == [5]


def test_a_later_system_message_changes_nothing_before_it():
    system = replace(THREE[0], position=6, role=Role.SYSTEM, text="From now on, in French.")

    assert fit([*THREE, system]) == fit(THREE)
    assert fit([THREE[0], system, *THREE[1:]]) == []


def test_reasoning_that_was_not_sent_then_must_not_be_sent_now():
    bare = written([THREE[0], without(THREE[1]), *path(*THREE)[2:4]])

    assert fit([*THREE[:2], *bare[2:]]) == [3]


def test_reasoning_behind_a_text_needs_the_text():
    (message,) = written([replace(THREE[1], parts=(thinking("a"), thinking("b", at=3)))])

    assert fitting([PROMPT, message], TOOLS, CLAUDE) == {1}
    assert fitting([PROMPT, message], TOOLS, CLAUDE, {1}) == frozenset()


def test_what_came_after_left_out_reasoning_fits_when_that_is_left_out_again():
    begun = replace(THREE[1], text="So be it", parts=(thinking("a"), thinking("b", at=3)))
    older = written([THREE[0], begun], tools="others")
    newer = written([*older[:1], without(older[1]), *path(*THREE)[2:4]])

    assert fit([*older, *newer[2:]]) == [3]
