"""What happens to several hand-overs in one round of calls."""

import pytest

from agents.networks.agent_tools import Transfer
from agents.snapshot import AgentSnapshot
from agents.tools import ToolResult, refused
from chatapp.generation.tools.other_agents import is_exhausted, transfer_results
from history.core.transcript.messages import ToolCall

AGENT = AgentSnapshot(
    name="Ada",
    transfers=(
        Transfer("transfer_to_bob", "bob", "Bob", ""),
        Transfer("transfer_to_eve", "eve", "Eve", ""),
    ),
)
BOB = ToolCall("1", "transfer_to_bob", '{"reason": "a sum"}')
EVE = ToolCall("2", "transfer_to_eve", "{}")
TO_BOB = ToolResult("Ada handed over to Bob: a sum", hands_to="bob")
TO_EVE = ToolResult("Ada handed over to Eve", hands_to="eve")
BAD = ToolCall("3", "transfer_to_bob", "[")


@pytest.mark.parametrize(
    ("calls", "left", "results"),
    [
        pytest.param([BOB], 1, {"1": TO_BOB}, id="one"),
        pytest.param([ToolCall("9", "wait", "{}")], 1, {}, id="another tool is not decided here"),
        pytest.param(
            [EVE, BOB],
            1,
            {"2": TO_EVE, "1": refused("not handed over: Eve has already taken over.")},
            id="the first wins",
        ),
        pytest.param(
            [BAD, EVE],
            1,
            {
                "3": refused(
                    "not handed over: the arguments are not valid JSON "
                    "(EOF while parsing a list at line 1 column 1)."
                ),
                "2": TO_EVE,
            },
            id="one that cannot be made does not count",
        ),
        pytest.param(
            [BOB],
            0,
            {"1": refused("not handed over: too many hand-overs in this turn.")},
            id="one too many",
        ),
    ],
)
def test_a_round_is_decided(calls, left, results):
    assert transfer_results(calls, AGENT, left) == results


def test_only_a_further_hand_over_exhausts_an_answer():
    assert is_exhausted(transfer_results([BOB], AGENT, 0), 0)
    assert not is_exhausted({}, 0)
    assert not is_exhausted(transfer_results([BOB], AGENT, 1), 1)
