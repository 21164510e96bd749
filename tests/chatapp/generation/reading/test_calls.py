"""Pieces of tool calls are joined to calls that a provider accepts and a tool can answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.generation.reading.calls import LONGEST_ARGUMENTS, MOST_CALLS, CallAssembler
from chatapp.llm.chunks import CallDelta
from history.core.transcript.messages import ToolCall


def assembled(*deltas):
    assembler = CallAssembler("made")
    for delta in deltas:
        assembler.add(CallDelta(*delta))
    return assembler.calls()


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        pytest.param([], (), id="none"),
        pytest.param(
            [(0, "a", "f", '{"x'), (0, "", "", '": 1}')],
            (ToolCall("a", "f", '{"x": 1}'),),
            id="in pieces",
        ),
        pytest.param(
            [(0, "a", "f", "{"), (1, "b", "g", "["), (0, "", "", "}"), (1, "", "", "]")],
            (ToolCall("a", "f", "{}"), ToolCall("b", "g", "[]")),
            id="interleaved",
        ),
        pytest.param(
            [(7, "b", "g", "{}"), (2, "a", "f", "{}")],
            (ToolCall("b", "g", "{}"), ToolCall("a", "f", "{}")),
            id="in the order in which they began",
        ),
        pytest.param(
            [(0, "a", "f", "{"), (0, "a", "f", "}")],
            (ToolCall("a", "f", "{}"),),
            id="id and name in every piece",
        ),
        pytest.param(
            [(0, "a", "f", "{}"), (0, "b", "g", "{}")],
            (ToolCall("a", "f", "{}"), ToolCall("b", "g", "{}")),
            id="every call numbered 0",
        ),
        pytest.param(
            [(0, "", "f", "{}"), (1, "", "g", "{}")],
            (ToolCall("made_0", "f", "{}"), ToolCall("made_1", "g", "{}")),
            id="no ids",
        ),
        pytest.param(
            [(0, "a", "f", "{}"), (1, "a", "g", "{}")],
            (ToolCall("a", "f", "{}"), ToolCall("made_1", "g", "{}")),
            id="the same id twice",
        ),
        pytest.param(
            [(0, "made_1", "f", "{}"), (1, "made_1", "g", "{}")],
            (ToolCall("made_1", "f", "{}"), ToolCall("made_2", "g", "{}")),
            id="the same id twice, and like one that is made",
        ),
        pytest.param([(0, " ", "f", "{}")], (ToolCall("made_0", "f", "{}"),), id="an id of blanks"),
        pytest.param(
            [(0, "", "", "{"), (0, "a", "f", "}")],
            (ToolCall("a", "f", "{}"),),
            id="id and name come late",
        ),
        pytest.param([(0, "a", "", "")], (ToolCall("a", "unnamed", ""),), id="no name at all"),
        pytest.param(
            [(0, "a", "functions.f g" + "x" * 99, "{}")],
            (ToolCall("a", "functions_f_g" + "x" * 51, "{}"),),
            id="a name that providers refuse",
        ),
    ],
)
def test_pieces_become_calls(deltas, calls):
    assert assembled(*deltas) == calls


def test_arguments_stop_at_a_length_that_every_tool_refuses():
    (call,) = assembled(*[(0, "a", "f", "x" * 150_000)] * 3)

    assert len(call.arguments) == LONGEST_ARGUMENTS


def test_calls_beyond_the_most_are_counted_and_left_out():
    assembler = CallAssembler()
    for index in range(1_000):
        assembler.add(CallDelta(index, f"c{index}", "f", "{}"))

    assert len(assembler.calls()) == MOST_CALLS
    assert assembler.left_out == 1_000 - MOST_CALLS


deltas = st.builds(
    CallDelta, st.integers(0, 3), st.sampled_from(["", " ", "a", "made_1"]), st.text(), st.text()
)


@given(st.lists(deltas, max_size=100))
def test_whatever_comes_the_ids_are_there_and_there_once(pieces):
    calls = assembled(*[(p.index, p.id, p.name, p.arguments) for p in pieces])

    assert all(call.id.strip() for call in calls)
    assert len({call.id for call in calls}) == len(calls)
