"""What the offline model says one can try, with the tools that the agent has."""

import re

import pytest

from agents.demo import DEMO_AGENTS
from chatapp.llm.mirror.hints import FACTS, LAYOUT, OF_TOOLS, PACE, hints
from chatapp.llm.mirror.mind import answer
from chatapp.llm.mirror.tools import calls_for

DEMO = {agent.slug: agent.tools for agent in DEMO_AGENTS}


def offered(*tools):
    return [FACTS, *(OF_TOOLS[tool] for tool in tools), LAYOUT, PACE]


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        pytest.param([], offered(), id="no tools"),
        pytest.param(["weather"], offered(), id="a tool that it cannot use"),
        pytest.param(DEMO["demo"], offered("calculator", "current_time"), id="demo"),
        pytest.param(DEMO["seeker"], offered("calculator", "current_time", "recall"), id="seeker"),
        pytest.param(
            DEMO["courier"], offered("calculator", "current_time", "send_note"), id="courier"
        ),
        pytest.param(
            ["transfer_to_accountant", "transfer_to_researcher"],
            offered("calculator", "report"),
            id="what others have to whom it hands over",
        ),
    ],
)
def test_the_hints_are_those_of_the_tools_at_hand(tools, expected):
    assert hints(tools).splitlines() == expected


@pytest.mark.parametrize("tool", OF_TOOLS)
def test_what_a_hint_says_makes_the_model_call_the_tool(tool):
    said = re.findall(r"`(.+?)`", OF_TOOLS[tool])[-1]

    assert [call.name for call in calls_for(said, [tool], [])] == [tool]


@pytest.mark.parametrize("said", ["help", "Is cheese good?"])
def test_an_introduction_and_an_echo_hold_them(said):
    assert (
        hints(DEMO["courier"]) in answer([{"role": "user", "content": said}], DEMO["courier"]).text
    )
