"""Which tools the offline model calls, and how what it was sent misleads it."""

import json

import pytest

from chatapp.llm.mirror.tools import MirrorCall, calls_for, took_over

CALCULATOR = MirrorCall("calculator", {"expression": "6*7"})
REPORT = MirrorCall("report", {"topic": "fees"})
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
        pytest.param("6*7", ["calculator"], [], (CALCULATOR,), id="its own"),
        pytest.param("a report on fees", ["report"], [], (REPORT,), id="a report"),
        pytest.param("Hello", ["calculator"], REPORTED, (), id="none is needed"),
        pytest.param("6*7", [], [], (), id="nobody has it"),
        pytest.param(
            "6*7",
            OTHERS,
            [],
            (MirrorCall("transfer_to_accountant", {"reason": "this needs the calculator"}),),
            id="somebody else has it",
        ),
        pytest.param("6*7", ["calculator"], REPORTED, (REPORT,), id="misled by another's call"),
        pytest.param("6*7", ["calculator", "report"], REPORTED, (CALCULATOR,), id="not by its own"),
        pytest.param(
            "6*7", ["calculator"], [*REPORTED, *MOVED], (REPORT,), id="misled past a hand-over"
        ),
        pytest.param("6*7", ["calculator"], MOVED, (CALCULATOR,), id="not by a hand-over"),
    ],
)
def test_it_calls(asked, tools, talk, calls):
    assert calls_for(asked, tools, talk) == calls


@pytest.mark.parametrize(
    ("talk", "is_so"),
    [
        pytest.param(MOVED, True, id="handed over"),
        pytest.param(called("transfer_to_bob", {}, "Error: not handed over."), False, id="refused"),
        pytest.param([*MOVED, *REPORTED], False, id="it has called since"),
        pytest.param([], False, id="nothing was called"),
    ],
)
def test_it_knows_that_it_took_over(talk, is_so):
    assert took_over(talk) is is_so
