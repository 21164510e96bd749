"""The map's rows are in the order of the request, with injected texts in their places."""

import pytest

from history.core.plan.plan import Plan
from history.core.transcript.messages import ToolCall
from history.services.explain.map import rows
from history.services.explain.map.stretches import page
from history.services.path.appending import append, assistant_message, result_message, user_message
from tests.factories import (
    add_plan,
    begin_turn,
    branch_of,
    make_agent,
    make_conversation,
    make_summary,
)

pytestmark = [pytest.mark.django_db, pytest.mark.agent(history_settings={"policy": "all"})]
FOUND = "Found it after a long search. " * 9
FILTER = {"use": "tool_call_filter", "persist_results": True}


def say(conversation, turns):
    """Add this many turns of four messages: a question, a call, its result and an answer."""
    for number in range(turns):
        call = ToolCall(f"c{number}", "search", "{}")
        append(
            branch_of(conversation),
            [
                user_message(f"Question {number}"),
                assistant_message("", [call]),
                result_message(call, FOUND, failed=False),
                assistant_message(f"Answer {number}"),
            ],
        )


def planned(conversation, **fields):
    """Change these fields of the agent, and plan the next request; return its record and plan."""
    for name, value in fields.items():
        setattr(conversation.agent, name, value)
    conversation.agent.save()
    record = add_plan(begin_turn(conversation))
    return record, Plan.from_dict(record.plan)


def told(found):
    """Return each row's letter with its position or label."""
    return [_told(row) for row in found]


def _told(row):
    match row:
        case rows.InjectedRow():
            return f"+ {row.label}"
        case rows.FoldRow():
            return f"{row.letters} {row.first}-{row.last}"
        case rows.StartRow():
            return "start"
    return f"{row.verdict} {row.position}"


@pytest.mark.words
def test_a_note_stands_where_its_calls_were(conversation):
    say(conversation, 1)

    found = rows.map_rows(*planned(conversation, processors=[FILTER]))

    assert told(found) == [
        *("+ system prompt", "+ framing", "K 0", "F 1-2"),
        *("+ Used search tool", "K 3", "K 4"),
    ]
    assert found[3].reason == "“Remove tool calls” (agent level) removes all tool calls"


@pytest.mark.words
def test_a_summary_stands_ahead_of_what_it_covers(conversation):
    say(conversation, 2)
    other = make_conversation(make_agent("other"))
    say(other, 2)
    make_summary(other, last_turn=1)
    point = make_summary(conversation, last_turn=1)

    found = rows.map_rows(*planned(conversation))

    assert told(found)[2:] == [
        *(f"+ checkpoint {point.pk}", "S 0-3", "start", "K 4", "K 5", "K 6", "K 7", "K 8")
    ]
    assert found[2].name == "summary 1"
    assert found[3].reason == "In summary 1 (1 of 1): 40 tokens reduced to 5"


def test_in_a_fold_a_note_is_found_by_its_letter_and_comes_when_it_opens(conversation):
    say(conversation, 60)
    record, plan = planned(conversation, processors=[FILTER])
    found = rows.map_rows(record, plan)
    fold = found[2]
    assert told([fold]) == [f"KF+ 0-{fold.last}"]

    opened = rows.folded_rows(record, plan, page(fold.first, fold.last, 3, newest=False))

    assert told(opened)[:4] == ["K 0", "F 1", "F 2", "+ Used search tool"]
    assert told(opened)[4] == f"KF+ 3-{fold.last}"


def test_what_stands_ahead_of_a_fold_is_not_repeated_inside(conversation):
    say(conversation, 60)
    settings = {"policy": "lastN", "length": 40}
    record, plan = planned(conversation, history_settings=settings)
    found = told(rows.map_rows(record, plan))
    place = found.index("start")
    assert found[place + 1].startswith("K 84-")

    opened = rows.folded_rows(record, plan, page(84, 90, 100, newest=False))

    assert told(opened) == [f"K {position}" for position in range(84, 91)]


@pytest.mark.words
def test_a_changed_message_shows_what_it_is_sent_as(conversation):
    say(conversation, 2)
    settings = {"policy": "all", "tool_results_keep": 1}

    found = rows.map_rows(*planned(conversation, history_settings=settings))

    result = next(row for row in found if _told(row) == "P 2")
    assert (result.tokens > result.sent, result.is_sent) == (True, True)
    assert result.reason == (
        f"An older tool result, sent as [Omitted]: {result.tokens} → {result.sent} tokens"
    )
