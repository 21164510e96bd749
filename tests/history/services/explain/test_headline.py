"""The headline says in one true sentence what the model saw, whatever left messages out."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.transcript.cut_line import gauge_of
from history.services.explain.headline import headline
from history.services.wire.delivery import FailedRequest
from tests.history.core.making import ROOMY
from tests.history.core.strategies import transcripts
from tests.history.services.explain.test_cut import (
    HANDED_OVER,
    LAST_5,
    LONG,
    POINT,
    TOOLS,
    plan_of,
    without,
)
from tests.transcripts import INSTRUCTED, ONE_TOOL, transcript

pytestmark = pytest.mark.words
HELLO = transcript("user: hello")


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        pytest.param(plan_of(HELLO), "the whole chat: 1 message", id="one message"),
        pytest.param(plan_of(LONG), "the whole chat: 18 messages", id="everything"),
        pytest.param(
            plan_of(LONG, LAST_5),
            "the last 5 turns; 8 earlier messages were left out",
            id="lastN",
        ),
        pytest.param(
            plan_of(LONG, {"policy": "none"}),
            "only the current turn; 16 earlier messages were left out",
            id="none",
        ),
        pytest.param(
            plan_of(LONG, LAST_5, pins=frozenset({2}), exclusions=frozenset({4, 9, 11})),
            "the last 5 turns and 1 pinned message from before; "
            "9 messages were left out, 3 of them by hand",
            id="marks on both sides",
        ),
        pytest.param(
            plan_of(INSTRUCTED, {"policy": "lastN", "length": 1}),
            "only the last turn and 2 system messages from before; "
            "4 earlier messages were left out",
            id="system messages above",
        ),
        pytest.param(
            plan_of(LONG, {"policy": "lastN", "length": 3}, checkpoints=(POINT,)),
            "the last 3 turns and a summary of 8 messages; 12 messages were left out",
            id="a summary and a cut",
        ),
        pytest.param(
            plan_of(LONG, checkpoints=(POINT,)),
            "10 of 18 messages and a summary of the 8 left out",
            id="a summary",
        ),
        pytest.param(
            plan_of(LONG, {"max_items": 4}),
            "4 of 18 messages; 14 earlier messages were left out",
            id="history window",
        ),
        pytest.param(
            plan_of(TOOLS, {"tool_results_keep": 1}),
            "all 9 messages; 2 older tool results were replaced by placeholders",
            id="placeholders",
        ),
        pytest.param(
            plan_of(HANDED_OVER, levels=without("transfer_to_sums")),
            "3 of 5 messages; "
            "2 hand-over messages between agents were left out of this agent's view",
            id="hand-overs",
        ),
        pytest.param(
            plan_of(ONE_TOOL, levels=without("search")),
            "3 of 5 messages; 2 messages were left out of this agent's view (calls to search)",
            id="a filter",
        ),
    ],
)
def test_one_sentence_says_what_the_model_saw(plan, said):
    assert headline(plan) == f"The model saw {said}."


def test_what_brought_no_answer_is_not_said_to_have_been_seen():
    plan = plan_of(LONG, LAST_5)
    failed = FailedRequest("openai/fake", "auth", "OpenAI rejected the key.", left=True)

    assert headline(plan, failed) == (
        "No answer came: OpenAI rejected the key. The request had the last 5 turns; "
        "8 earlier messages were left out."
    )


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("missing_key", "openai/fake needs a key."),
        ("not_found", "openai/fake was not found."),
        ("forbidden", "openai/fake can't be used: it is disabled."),
    ],
)
def test_what_never_left_is_told_with_its_cause(kind, why):
    plan = plan_of(LONG, LAST_5)
    told = "openai/fake can't be used: it is disabled."
    failed = FailedRequest("openai/fake", kind, told, left=False)

    assert headline(plan, failed) == (
        f"Nothing was sent: {why} It would have got 10 of 18 messages, {plan.window.sent} tokens."
    )


@given(transcripts(), st.integers(0, 5), st.integers(2, 9), st.frozensets(st.integers(0, 9)))
def test_there_is_a_sentence_for_every_plan(messages, length, items, marked):
    values = {**ROOMY, "policy": "lastN", "length": length, "max_items": items}

    said = headline(plan_of(messages, values, exclusions=marked))

    assert said.startswith("The model saw ")
    assert said.count(".") == 1


@given(transcripts(), st.integers(0, 5), st.integers(2, 9), st.frozensets(st.integers(0, 9)))
def test_the_headline_and_the_line_below_the_chat_give_one_sum(messages, length, items, marked):
    values = {**ROOMY, "policy": "lastN", "length": length, "max_items": items}
    plan = plan_of(messages, values, exclusions=marked)

    said = re.search(r"([0-9,]+) [a-z ]*messages? (?:was|were) left out", headline(plan))

    assert int(said[1]) == gauge_of(plan, "").not_sent if said else not plan.not_sent()
