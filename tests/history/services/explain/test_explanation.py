"""The terminal explains a request in the same words as the panel."""

import re

import pytest

from agents.snapshot import AgentSnapshot
from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import Checkpoint
from history.services.explain.explanation import Explanation
from history.services.explain.lines import lines_of
from tests.history.core.making import ROOMY, requested
from tests.transcripts import transcript

AGENT = AgentSnapshot(name="Demo", source="agent demo v1", model="demo/mirror")
TALK = transcript(
    "user: hello", "assistant: hi", "user: go", "call c1 search", "result c1: x", "user: more"
)
POINT = Checkpoint(3, 0, 1, 1, 1, "They met.", 12, 20)
CHAIN = {"agent": [{"use": "tool_call_filter", "persist_results": True}]}


def lines(**values):
    plan = requested(
        TALK, {**ROOMY, **values}, checkpoints=(POINT,), levels=parse_levels(CHAIN), factor=1.5
    ).plan
    told = lines_of(Explanation(plan, AGENT, turn=3, turns=3))
    return [" ".join(line.split()) for line in told]


@pytest.mark.words
def test_the_map_has_notes_and_summaries_in_their_places():
    told = lines()
    first = next(n for n, line in enumerate(told) if "map: " in line)

    assert [line.partition(" tokens")[0] for line in told[first + 1 :]][:7] == [
        "+ injected summary 3 12 sent before the messages: 12",
        "S summarised 2 messages, turn 1 20 in summary 3 (1 of 1): 20",
        "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 3 + " The model's view starts here (turn 2)",
        "K kept 1 message, turn 2 10",
        "F filtered 2 messages, turn 2 25 “Remove tool calls” (agent level) removes all tool calls",
        "+ injected Used search tool 10 sent in place of the removed calls: 10",
        "K kept 1 message, turn 3 10 current turn",
    ]


@pytest.mark.words
def test_the_window_has_every_part_and_the_budget():
    told = lines()

    assert "summaries 12 0.00%" in told
    assert "difference in counting 21 0.00%" in told
    assert (
        "0 fixed + 30 history + 12 summaries + 21 difference in counting + 1 output reserve + "
        "999,936 free" in (" ".join(told))
    )
    assert "History: 30 of 666,654 tokens" in told


@pytest.mark.words
def test_settings_that_somebody_set_stand_in_groups_before_the_others():
    told = lines(max_items=40)
    chosen = [line for line in told if "<- agent demo v1" in line]

    assert [re.findall(r"\((\w+_?\w*)\) ", line)[-1] for line in chosen] == [
        *("policy", "max_items", "context_window", "output_reserve")
    ]
    assert "Tools, left at defaults: Tool results kept in full (tool_results_keep) 0 (all)" in told
    assert told.index("Budget") > told.index(chosen[1])
