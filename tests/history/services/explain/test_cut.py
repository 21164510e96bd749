"""The place where the messages sent begin, and the sentence on messages left out around it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.plan.verdict import SENT
from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import Checkpoint
from history.services.explain.cut import cut_sentence, who_decided
from history.services.explain.window import held_tokens, sides_of, window_start
from tests.history.core.making import ROOMY, requested
from tests.history.core.strategies import transcripts
from tests.transcripts import INSTRUCTED, ONE_TOOL, transcript, turns

LONG = turns(9)  # 17 messages stand before the current one, each of 10 tokens.
POINT = Checkpoint(3, 0, 7, 1, 4, "They met.", 12, 80)
NEXT = Checkpoint(4, 8, 11, 5, 6, "They parted.", 12, 40)
LAST_5 = {"policy": "lastN", "length": 5}
ALL_CALLS = {"history": [{"use": "tool_call_filter"}]}
BY_SIZE = {"agent": [{"use": "token_limiter", "limit": 65}]}
TOOLS = transcript(
    "user: go",
    *(line for n in range(3) for line in (f"call c{n} search", f"result c{n}: a long text")),
    "assistant: done",
    "user: more",
)
HANDED_OVER = transcript(
    "user: go", "call c1 transfer_to_sums", "result c1: done", "assistant: 4", "user: thanks"
)


def plan_of(messages, values=ROOMY, **request):
    return requested(messages, {**ROOMY, **values}, **request).plan


def without(*tools):
    return parse_levels({"agent": [{"use": "tool_call_filter", "exclude": list(tools)}]})


CASES = [
    pytest.param(plan_of(LONG), 0, "", id="all is sent"),
    pytest.param(plan_of(LONG, pins=frozenset({2})), 0, "", id="a pin that changes nothing"),
    pytest.param(plan_of(()), 0, "", id="nothing said"),
    pytest.param(
        plan_of(LONG, LAST_5),
        8,
        "8 earlier messages are left out (the agent sends the last 5 turns).",
        id="lastN",
    ),
    pytest.param(
        plan_of(LONG, {"policy": "lastN", "length": 3, "length_stride": 4}),
        8,
        "8 earlier messages are left out (the agent sends the last 3 to 6 turns, here 5).",
        id="lastN in steps",
    ),
    pytest.param(
        plan_of(turns(2), {"policy": "lastN", "length": 1}),
        2,
        "2 earlier messages are left out (the agent sends the last turn).",
        id="one turn",
    ),
    pytest.param(
        plan_of(LONG, {"policy": "none"}),
        16,
        "16 earlier messages are left out (the agent sends only the current turn).",
        id="none",
    ),
    pytest.param(
        plan_of(LONG, {"max_items": 4}),
        14,
        "14 earlier messages are left out (“History window (items)” 4 keeps 4 messages).",
        id="a history window",
    ),
    pytest.param(
        plan_of(LONG, {**LAST_5, "max_items": 4}),
        14,
        "14 earlier messages are left out "
        "(“History length” 5 keeps turns 5\N{EN DASH}9 and “History window (items)” 4 keeps 4 "
        "messages).",
        id="two cuts",
    ),
    pytest.param(
        plan_of(LONG, {"token_budget": 256, "output_reserve": 191, "min_history_turns": 0}),
        12,
        "12 earlier messages are left out "
        "(“Pruner” fifo keeps turns 7\N{EN DASH}9: 60 of 65 tokens).",
        id="a budget",
    ),
    pytest.param(
        plan_of(LONG, levels=parse_levels(BY_SIZE)),
        12,
        "12 earlier messages are left out (“Limit the tokens” (agent level) keeps the newest "
        "messages within 65 tokens: 60).",
        id="a token limiter",
    ),
    pytest.param(
        plan_of(LONG, checkpoints=(POINT,)),
        8,
        "8 earlier messages are left out (summarised).",
        id="a summary",
    ),
    pytest.param(
        plan_of(LONG, checkpoints=(POINT, NEXT)),
        12,
        "12 earlier messages are left out (summarised).",
        id="two summaries",
    ),
    pytest.param(
        plan_of(LONG, {"policy": "lastN", "length": 3}, checkpoints=(POINT,)),
        12,
        "12 messages are left out: 4 earlier (the agent sends the last 3 turns) and 8 summarised.",
        id="a summary and a cut",
    ),
    pytest.param(
        plan_of(LONG, LAST_5, pins=frozenset({2}), exclusions=frozenset({4, 9, 11})),
        8,
        "9 messages are left out: 6 earlier (the agent sends the last 5 turns) and 3 by hand. "
        "1 pinned message is sent anyway.",
        id="pins and exclusions on both sides",
    ),
    pytest.param(
        plan_of(INSTRUCTED, {"policy": "lastN", "length": 1}),
        6,
        "4 earlier messages are left out (the agent sends the last turn). "
        "2 system messages are sent anyway.",
        id="system messages above",
    ),
    pytest.param(
        plan_of(INSTRUCTED, {"preserve_system_messages": False}),
        0,
        "2 messages are left out.",
        id="system messages left out",
    ),
    pytest.param(
        plan_of(ONE_TOOL, levels=parse_levels(ALL_CALLS)),
        0,
        "2 messages are left out by a processor.",
        id="a filter",
    ),
    pytest.param(
        plan_of(HANDED_OVER, levels=without("transfer_to_sums")),
        0,
        "2 hand-over messages between agents are left out of this agent's view.",
        id="hand-overs",
    ),
    pytest.param(
        plan_of(ONE_TOOL, levels=without("search")),
        0,
        "2 messages are left out of this agent's view (calls to search).",
        id="a filter for one tool",
    ),
    pytest.param(
        plan_of(TOOLS, {"tool_results_keep": 1}),
        0,
        "2 messages are replaced by placeholders.",
        id="placeholders",
    ),
]


@pytest.mark.parametrize(("plan", "start", "sentence"), CASES)
def test_the_view_starts_after_what_is_cut_off(plan, start, sentence):
    found = window_start(plan)

    assert sides_of(plan).start == start
    assert (found.positions[0] if found else 0) == start


@pytest.mark.words
@pytest.mark.parametrize(("plan", "start", "sentence"), CASES)
def test_the_sentence_is_short_and_counts_marks(plan, start, sentence):
    assert cut_sentence(plan) == sentence


def test_what_is_held_is_known_in_tokens():
    assert held_tokens(plan_of(LONG, LAST_5, pins=frozenset({2, 5}))) == 20


@given(transcripts(), st.integers(0, 5), st.integers(2, 9))
def test_above_the_start_only_what_is_held_is_sent(messages, length, items):
    plan = plan_of(messages, {"policy": "lastN", "length": length, "max_items": items})

    sides = sides_of(plan)

    history = [entry for entry in plan.entries if entry.positions]
    assert [*sides.above, *sides.below] == history
    assert all(
        e.rule in {"pin", "preserve_system_messages"} for e in sides.above if e.verdict in SENT
    )


@pytest.mark.words
@pytest.mark.parametrize(
    ("plan", "said"),
    [
        pytest.param(plan_of(LONG), "", id="all is sent"),
        pytest.param(plan_of(LONG, exclusions=frozenset({4})), "", id="an exclusion"),
        pytest.param(plan_of(TOOLS, levels=without("search")), "", id="a processor"),
        pytest.param(plan_of(LONG, LAST_5), "Remembers the last 5 turns.", id="the policy"),
        pytest.param(
            plan_of(TOOLS, {"tool_results_keep": 1}),
            "Tool results kept in full: 1.",
            id="older results",
        ),
        pytest.param(
            plan_of(LONG, LAST_5 | {"max_items": 4}),
            "Remembers the last 5 turns. History window (items): 4.",
            id="two",
        ),
    ],
)
def test_each_setting_that_left_something_out_is_named_with_who_set_it(plan, said):
    sentences = who_decided(plan, "Demo").replace(" Set by the agent Demo.", "")

    assert sentences == said
