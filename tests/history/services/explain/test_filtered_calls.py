"""Only the calls that filters really removed are named and counted."""

import pytest

from chatapp.transcript.cut_line import cut_of
from history.core.transcript.messages import ToolCall
from history.records import plan_record
from history.services.explain import filtered_calls
from history.services.explain.cut import cut_sentence
from history.services.explain.explanation import explanation_of
from history.services.explain.filtered_calls import removed_calls
from history.services.explain.headline import headline
from history.services.path.appending import append, assistant_message, result_message, user_message
from tests.factories import add_plan, begin_turn, branch_of, make_agent, make_conversation
from tests.history.services.explain.test_cut import HANDED_OVER, TOOLS, plan_of, without

pytestmark = [pytest.mark.django_db, pytest.mark.words]
FILTERED = ["calculator", "report", "transfer_to_bob"]


def request_after(*tools, filtered=FILTERED):
    """Store the request of a turn that follows these calls, whose agent filters some out."""
    agent = make_agent(processors=[{"use": "tool_call_filter", "exclude": filtered}])
    conversation = make_conversation(agent)
    append(branch_of(conversation), [user_message("What is 5*5?")])
    for place, tool in enumerate(tools):
        call = ToolCall(f"c{place}", tool, "{}")
        append(branch_of(conversation), [assistant_message("", [call]), result_message(call, "25")])
    append(branch_of(conversation), [assistant_message("25")])
    return add_plan(begin_turn(conversation, "thank you"))


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        (
            ["calculator"],
            "2 messages were left out of this agent's view (a call to calculator and its result)",
        ),
        (
            ["calculator", "report", "calculator"],
            "6 messages were left out of this agent's view "
            "(calls to calculator and report and their results)",
        ),
        (
            ["calculator", "clock"],
            "2 messages were left out of this agent's view (a call to calculator and its result)",
        ),
        (
            ["transfer_to_bob"],
            "2 hand-over messages between agents were left out of this agent's view",
        ),
    ],
)
def test_only_calls_that_were_there_are_named(tools, said):
    record = request_after(*tools)
    explanation = explanation_of(record, turns=2)

    assert explanation.headline.endswith(f"; {said}.")
    assert plan_record(record)["headline"] == explanation.headline
    assert explanation.cut == f"{said}.".replace("were", "are")
    cut = cut_of(record.core_plan, "", removed_calls(record))
    assert cut is not None
    assert cut.sentence == explanation.cut


def test_without_such_messages_none_is_searched(django_assert_num_queries):
    record = request_after("clock")

    with django_assert_num_queries(0):
        assert removed_calls(record) == {}


def test_in_very_many_places_they_are_not_searched(monkeypatch):
    monkeypatch.setattr(filtered_calls, "MOST", 1)

    assert removed_calls(request_after("report", "clock", "report")) == {}


def test_of_several_tools_none_is_named_if_the_calls_are_not_known():
    several, one = without("search", "fetch"), without("search")

    assert cut_sentence(plan_of(TOOLS, levels=several)) == (
        "6 messages are left out of this agent's view."
    )
    assert "(calls to search)" in headline(plan_of(TOOLS, levels=one))
    hand_overs = without("transfer_to_sums", "transfer_to_ann")
    assert "2 hand-over messages" in headline(plan_of(HANDED_OVER, levels=hand_overs))
