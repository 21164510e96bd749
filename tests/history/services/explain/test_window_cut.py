"""The chat's line: what is left out or changed, and why, with counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.facts import Rule
from history.core.plan.verdict import SENT, Verdict
from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import Checkpoint
from history.services.explain import window
from history.services.explain.window import cut_sentence, held, sides_of, window_start
from tests.history.core.making import ROOMY, requested
from tests.history.core.strategies import transcripts
from tests.transcripts import INSTRUCTED, ONE_TOOL, transcript, turns

LONG = turns(9)  # 17 messages stand before the current one, each of 10 tokens.
POINT = Checkpoint(3, 0, 7, 1, 4, "They met.", 12, 80)
NEXT = Checkpoint(4, 8, 11, 5, 6, "They parted.", 12, 40)
FILTER = {"history": [{"use": "tool_call_filter"}]}
TOOLS = transcript(
    "user: go",
    *(line for n in range(3) for line in (f"call c{n} search", f"result c{n}: a long text")),
    "assistant: done",
    "user: more",
)
LIMIT = {"agent": [{"use": "token_limiter", "limit": 65}]}


def plan_of(messages, values=ROOMY, **request):
    return requested(messages, {**ROOMY, **values}, **request).plan


@pytest.fixture
def worded(monkeypatch):
    """What the line would be worded of, in the order of its sentences."""
    said = []
    for name in ("seen", "left_out", "summarised", "still_sent", "changed"):
        monkeypatch.setattr(window.wording, name, saying(name, said))
    monkeypatch.setattr(window, "brief", lambda entry: entry.reasons[0].rule)
    return said


def saying(name, said):
    def say(*figures):
        said.append((name, *figures))
        return name

    return say


@pytest.mark.parametrize(
    ("plan", "start", "said"),
    [
        pytest.param(
            plan_of(LONG, {"policy": "lastN", "length": 5}),
            8,
            [("seen", "lastN", 5, 9), ("left_out", 8, [])],
            id="lastN",
        ),
        pytest.param(
            plan_of(turns(2), {"policy": "lastN", "length": 1}),
            2,
            [("seen", "lastN", 2, 2), ("left_out", 2, [])],
            id="one turn",
        ),
        pytest.param(
            plan_of(LONG, {"policy": "none"}),
            16,
            [("seen", "none", 9, 9), ("left_out", 16, [])],
            id="none",
        ),
        pytest.param(
            plan_of(LONG, {"max_items": 4}),
            14,
            [("left_out", 14, [Rule.HISTORY_WINDOW])],
            id="history window",
        ),
        pytest.param(
            plan_of(LONG, {"policy": "lastN", "length": 5, "max_items": 4}),
            14,
            [("left_out", 14, [Rule.POLICY, Rule.HISTORY_WINDOW])],
            id="two cuts",
        ),
        pytest.param(
            plan_of(LONG, {"token_budget": 256, "output_reserve": 191, "min_history_turns": 0}),
            12,
            [("left_out", 12, [Rule.BUDGET])],
            id="budget",
        ),
        pytest.param(
            plan_of(LONG, levels=parse_levels(LIMIT)),
            12,
            [("left_out", 12, [Rule.TOKEN_LIMITER])],
            id="token limiter",
        ),
        pytest.param(
            plan_of(LONG, checkpoints=(POINT,)),
            8,
            [("summarised", 8)],
            id="a summary",
        ),
        pytest.param(
            plan_of(LONG, checkpoints=(POINT, NEXT)),
            12,
            [("summarised", 12)],
            id="two summaries",
        ),
        pytest.param(
            plan_of(LONG, {"policy": "lastN", "length": 3}, checkpoints=(POINT,)),
            12,
            [("seen", "lastN", 7, 9), ("summarised", 8), ("left_out", 4, [])],
            id="a summary and a cut",
        ),
        pytest.param(
            plan_of(
                LONG,
                {"policy": "lastN", "length": 5},
                pins=frozenset({2}),
                exclusions=frozenset({4, 9, 11}),
            ),
            8,
            [
                ("seen", "lastN", 5, 9),
                ("left_out", 6, []),
                ("still_sent", 1),
                ("changed", Verdict.EXCLUDED, 3),
            ],
            id="marks on both sides",
        ),
        pytest.param(
            plan_of(INSTRUCTED, {"policy": "lastN", "length": 1}),
            6,
            [("seen", "lastN", 3, 3), ("left_out", 4, []), ("still_sent", 2)],
            id="system messages above",
        ),
        pytest.param(
            plan_of(ONE_TOOL, levels=parse_levels(FILTER)),
            0,
            [("changed", Verdict.FILTERED, 2)],
            id="no cut, but a filter",
        ),
        pytest.param(
            plan_of(TOOLS, {"tool_results_keep": 1}),
            0,
            [("changed", Verdict.PLACEHOLDER, 2)],
            id="placeholders",
        ),
    ],
)
def test_the_line_says_what_is_not_sent_and_why(plan, start, said, worded):
    cut_sentence(plan)

    assert (sides_of(plan).start, worded) == (start, said)


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(plan_of(LONG), id="all"),
        pytest.param(plan_of(LONG, pins=frozenset({2})), id="a pin"),
        pytest.param(plan_of(()), id="nothing said"),
    ],
)
def test_nothing_is_said_where_everything_is_sent(plan):
    assert cut_sentence(plan) == ""
    assert window_start(plan) is None


def test_a_system_message_that_is_left_out_cuts_nothing_off(worded):
    plan = plan_of(INSTRUCTED, {"preserve_system_messages": False})
    cut_sentence(plan)

    assert window_start(plan) is None
    assert worded == [("changed", Verdict.TRIMMED, 2)]


def test_what_is_held_is_known_in_tokens():
    request = {"pins": frozenset({2, 5})}

    assert held(plan_of(LONG, {"policy": "lastN", "length": 5}, **request)) == 20


@given(transcripts(), st.integers(0, 5), st.integers(2, 9))
def test_above_the_start_only_what_is_held_is_sent(messages, length, items):
    plan = plan_of(messages, {"policy": "lastN", "length": length, "max_items": items})

    sides = sides_of(plan)

    history = [entry for entry in plan.entries if entry.positions]
    assert [*sides.above, *sides.below] == history
    assert all(
        e.rule in {"pin", "preserve_system_messages"} for e in sides.above if e.verdict in SENT
    )
