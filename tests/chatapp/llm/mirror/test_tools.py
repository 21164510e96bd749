"""The tools that the offline model calls, and how the messages that it gets can mislead it."""

import json

import pytest

from chatapp.llm.mirror.texts import HINTS
from chatapp.llm.mirror.understanding import MirrorCall, calls_for

SUM = "What is 6*7?"
CALCULATOR = MirrorCall("calculator", {"expression": "6*7"})
REPORT = MirrorCall("report", {"topic": "fees"})
USUAL = MirrorCall("report", {"topic": "harbour fees"})
NAME = "What is my name?"
RECALL = MirrorCall("recall", {"query": "my name is", "most": 20})
OTHERS = ("transfer_to_greeter", "transfer_to_accountant", "transfer_to_researcher")


def called(name, arguments, result="done"):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return [
        {"role": "assistant", "content": None, "tool_calls": [{"id": name, "function": function}]},
        {"role": "tool", "content": result, "tool_call_id": name},
    ]


REPORTED = called("report", {"topic": "fees"})
MOVED = called("transfer_to_accountant", {})


@pytest.mark.parametrize(
    ("asked", "tools", "talk", "calls"),
    [
        pytest.param(SUM, ["calculator"], [], (CALCULATOR,), id="its own"),
        pytest.param("a report on fees", ["report"], [], (REPORT,), id="a report"),
        pytest.param("Write a report.", ["report"], [], (USUAL,), id="a report on anything"),
        pytest.param("Thanks for the report!", ["report"], [], (), id="no second report"),
        pytest.param("Hello", ["calculator"], REPORTED, (), id="none is needed"),
        pytest.param(SUM, [], [], (), id="nobody has it"),
        pytest.param(
            "Hello",
            ["calculator", "transfer_to_greeter"],
            [],
            (MirrorCall("transfer_to_greeter", {"reason": "this needs none of my tools"}),),
            id="back to who answers the rest",
        ),
        pytest.param(
            SUM,
            OTHERS,
            [],
            (MirrorCall("transfer_to_accountant", {"reason": "this needs the calculator"}),),
            id="somebody else has it",
        ),
        pytest.param(SUM, ["calculator"], REPORTED, (REPORT,), id="misled by another's call"),
        pytest.param(SUM, ["calculator", "report"], REPORTED, (CALCULATOR,), id="not by its own"),
        pytest.param(
            SUM, ["calculator"], [*REPORTED, *MOVED], (REPORT,), id="misled past a hand-over"
        ),
        pytest.param(SUM, ["calculator"], MOVED, (CALCULATOR,), id="not by a hand-over"),
        pytest.param(NAME, ["recall"], [], (RECALL,), id="a search for what it was not sent"),
        pytest.param(
            NAME, ["recall"], [{"role": "user", "content": "My name is Ada."}], (), id="none"
        ),
    ],
)
def test_it_calls(asked, tools, talk, calls):
    assert calls_for(asked, tools, talk) == calls


@pytest.mark.parametrize(
    ("asked", "arguments"),
    [
        ("What is 12 * (3+4)?", [{"expression": "12 * (3+4)"}]),
        ("What is -3 / 4, and what is 2^3.", [{"expression": "-3 / 4"}, {"expression": "2^3"}]),
        ("What is 15% of 240?", [{"expression": "15 / 100 * 240"}]),
        ("What is 10 + 15% of (240 - 40)?", [{"expression": "10 + 15 / 100 * (240 - 40)"}]),
        ("What is 17 % 5, and what is 2**-3?", [{"expression": "17 % 5"}, {"expression": "2**-3"}]),
        ("And 20% of 240?", [{"expression": "20 / 100 * 240"}]),
        ("How about 7 * 8?", [{"expression": "7 * 8"}]),
        ("What\u2019s 2+2?", [{"expression": "2+2"}]),
        ("20% of 240", [{"expression": "20 / 100 * 240"}]),
        ("3 * (4 + 5) = ?", [{"expression": "3 * (4 + 5)"}]),
        ("I was there on 3-4, and 5-6 of us were late.", []),
        ("And 20 of them?", []),
        ("What is 15%?", []),
        ("What is 15% of my time?", []),
        ("What is the point of 42?", []),
        ("What is 42?", []),
        ("What time is it?", [{}]),
        ("what time is it in Asia/Tokyo?", [{"timezone": "Asia/Tokyo"}]),
        (
            "note to A: one\nnote to B: two",
            [{"to": "A", "text": "one"}, {"to": "B", "text": "two"}],
        ),
        ("Which notes have you sent?", []),
    ],
)
def test_it_reads_arguments_from_the_message(asked, arguments):
    calls = calls_for(asked, ["calculator", "current_time", "send_note"], [])

    assert [call.arguments for call in calls] == arguments


@pytest.mark.parametrize("tool", [tool for tool in HINTS if tool])
def test_what_a_hint_says_makes_the_model_call_the_tool(tool):
    said = HINTS[tool].split("`")[-2]

    assert [call.name for call in calls_for(said, [tool], [])] == [tool]
