"""The chat's line: what is left out or changed, and why, with counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.plan.plan import SENT
from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import Checkpoint
from history.services.explain.window.cut import cut_sentence, held, sides_of, window_start
from tests.history.core.making import ROOMY, requested
from tests.history.core.strategies import transcripts
from tests.transcripts import INSTRUCTED, ONE_TOOL, transcript, turns

DASH = "\N{EN DASH}"
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


@pytest.mark.words
@pytest.mark.parametrize(
    ("plan", "start", "sentence"),
    [
        pytest.param(
            plan_of(LONG, {"policy": "lastN", "length": 5}),
            8,
            f"The model sees the last 5 turns (5{DASH}9). 8 earlier messages were left out.",
            id="lastN",
        ),
        pytest.param(
            plan_of(turns(2), {"policy": "lastN", "length": 1}),
            2,
            "The model only sees the last turn (2). 2 earlier messages were left out.",
            id="one turn",
        ),
        pytest.param(
            plan_of(LONG, {"policy": "none"}),
            16,
            "The model only sees the current turn. 16 earlier messages were left out.",
            id="none",
        ),
        pytest.param(
            plan_of(LONG, {"max_items": 4}),
            14,
            "14 earlier messages were left out (max_items 4 keeps 4 messages).",
            id="history window",
        ),
        pytest.param(
            plan_of(LONG, {"policy": "lastN", "length": 5, "max_items": 4}),
            14,
            f"14 earlier messages were left out (lastN 5 keeps turns 5{DASH}9 and "
            "max_items 4 keeps 4 messages).",
            id="two cuts",
        ),
        pytest.param(
            plan_of(LONG, {"token_budget": 256, "output_reserve": 191, "min_history_turns": 0}),
            12,
            f"12 earlier messages were left out (fifo keeps turns 7{DASH}9: 60 of 65 tokens).",
            id="budget",
        ),
        pytest.param(
            plan_of(LONG, levels=parse_levels(LIMIT)),
            12,
            "12 earlier messages were left out (token_limiter (agent level) keeps the newest "
            "messages within 65 tokens: 60).",
            id="token limiter",
        ),
        pytest.param(
            plan_of(LONG, checkpoints=(POINT,)),
            8,
            "8 earlier messages were summarised.",
            id="a summary",
        ),
        pytest.param(
            plan_of(LONG, checkpoints=(POINT, NEXT)),
            12,
            "12 earlier messages were summarised.",
            id="two summaries",
        ),
        pytest.param(
            plan_of(LONG, {"policy": "lastN", "length": 3}, checkpoints=(POINT,)),
            12,
            f"The model sees the last 3 turns (7{DASH}9). 8 earlier messages were summarised. "
            "4 earlier messages were left out.",
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
            f"The model sees the last 5 turns (5{DASH}9). 6 earlier messages were left out. "
            "1 of the earlier messages is still sent. 3 messages were excluded.",
            id="marks on both sides",
        ),
        pytest.param(
            plan_of(INSTRUCTED, {"policy": "lastN", "length": 1}),
            6,
            "The model only sees the last turn (3). 4 earlier messages were left out. "
            "2 of the earlier messages are still sent.",
            id="system messages above",
        ),
        pytest.param(
            plan_of(ONE_TOOL, levels=parse_levels(FILTER)),
            0,
            "2 messages were filtered out.",
            id="no cut, but a filter",
        ),
        pytest.param(
            plan_of(TOOLS, {"tool_results_keep": 1}),
            0,
            "2 messages were replaced by placeholders.",
            id="placeholders",
        ),
    ],
)
def test_the_sentence_says_what_is_not_sent_and_why(plan, start, sentence):
    assert (sides_of(plan).start, cut_sentence(plan)) == (start, sentence)


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


@pytest.mark.words
def test_a_system_message_that_is_left_out_cuts_nothing_off():
    plan = plan_of(INSTRUCTED, {"preserve_system_messages": False})

    assert window_start(plan) is None
    assert cut_sentence(plan) == "2 messages were left out."


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
