"""The rules for tool calls find every kind of fault."""

import pytest

from tests.pairing import faults

USER = {"role": "user", "content": "Go"}
SAID = {"role": "assistant", "content": "Done"}


def asked(*ids, name="f", arguments="{}"):
    calls = [{"id": each, "function": {"name": name, "arguments": arguments}} for each in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(call_id):
    return {"role": "tool", "tool_call_id": call_id, "content": "ok"}


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([USER, SAID, USER], id="no tools"),
        pytest.param([USER, asked("a", "b"), result("b"), result("a"), SAID], id="in any order"),
        pytest.param([USER, asked("a"), result("a"), asked("b"), result("b")], id="two rounds"),
        pytest.param([USER, asked("a"), result("a"), USER], id="the person speaks next"),
    ],
)
def test_a_valid_request_has_no_faults(messages):
    assert faults({"messages": messages}) == []


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        pytest.param([USER, asked("a")], "at the end a has no result", id="no result"),
        pytest.param([USER, asked("a"), USER], "2: before it, a has no result", id="cut off"),
        pytest.param(
            [USER, result("a")], "1: a result that no call waits for", id="a result alone"
        ),
        pytest.param(
            [USER, asked("a"), result("a"), result("a")],
            "3: a result that no call waits for",
            id="two results",
        ),
        pytest.param([USER, asked("a", "a"), result("a")], "1: an id twice in one round", id="ids"),
        pytest.param([USER, asked("a", name="a b"), result("a")], "1: the name 'a b'", id="name"),
        pytest.param(
            [USER, asked("a", arguments="[1"), result("a")],
            "1: arguments that are no JSON object",
            id="arguments",
        ),
        pytest.param(
            [USER, asked("a"), result("a"), asked("a"), result("a")],
            "a tool_use id used again: ['a']",
            id="an id of an earlier round",
        ),
        pytest.param(
            [USER, {"role": "assistant", "content": ""}], "1: neither text nor calls", id="empty"
        ),
        pytest.param([SAID], "the first message is not the user's", id="who begins"),
    ],
)
def test_a_fault_is_named(messages, fault):
    assert fault in faults({"messages": messages})
