"""The chat's sentences about a message's verdict."""

import pytest
from django.template.loader import render_to_string

from chatapp.pages import verdicts
from chatapp.pages.verdicts import LATER, NEVER, verdicts_of
from history.core.plan.verdict import Verdict
from history.core.transcript.messages import ToolCall
from history.services.errors import NotFound
from history.services.path.appending import append, assistant_message, result_message
from history.services.path.marks import mark
from history.services.path.reading import message_at
from tests.factories import (
    actor_for,
    add_plan,
    add_turn,
    add_turns,
    begin_turn,
    branch_of,
    end_turn,
    make_conversation,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(history_settings={"policy": "lastN", "length": 2}),
    pytest.mark.turns(3),
]


def judged(conversation, first, last=None):
    """Return each message's verdict, sentence, tokens, and what will apply to it."""
    found = verdicts_of(conversation, first, first if last is None else last)
    return [(j.verdict, j.sentence, j.tokens, j.upcoming) for j in found.judged]


def test_every_verdict_has_a_sentence(conversation):
    trimmed = "Turn 1 of 3; “History length” 2 keeps turns 2\N{EN DASH}3"

    assert judged(conversation, 0) == [(Verdict.TRIMMED, trimmed, "7 tokens, none sent", "")]
    assert judged(conversation, 2) == [(Verdict.KEPT, "Sent unchanged.", "7 tokens", "")]
    assert judged(conversation, 4) == [(Verdict.KEPT, "Current turn", "7 tokens", "")]


def test_what_came_after_the_request_is_not_decided_yet(conversation):
    assert judged(conversation, 5) == [(None, LATER, "7 tokens", "")]


UNSENT = {"kind": "unreachable", "message": "OpenAI can't be reached.", "left": False}


def test_of_a_request_that_never_left_it_is_said_that_nothing_was_sent(conversation):
    add_plan(begin_turn(conversation), error=UNSENT)
    found = verdicts_of(conversation, 4, 6)

    assert judged(conversation, 4) == [
        (Verdict.KEPT, "It would have been sent unchanged.", "7 tokens, none sent", "")
    ]
    assert judged(conversation, 6)[0][1:3] == ("Current turn", "6 tokens, none sent")
    card = render_to_string("chat/verdict.html", {"verdicts": found})
    assert "Nothing was sent with the latest request (turn 4)" in card
    assert "Sent unchanged" not in card


def test_a_failed_request_that_left_was_sent(conversation):
    add_plan(begin_turn(conversation), error={**UNSENT, "left": True})

    assert judged(conversation, 4) == [(Verdict.KEPT, "Sent unchanged.", "7 tokens", "")]


def test_before_the_first_request_nothing_is_decided():
    conversation = make_conversation()
    add_turns(conversation, 1)

    assert [j[:2] for j in judged(conversation, 0, 1)] == [(None, NEVER)] * 2
    assert verdicts_of(conversation, 0, 0).turn is None


def test_a_mark_that_the_request_did_not_know_is_told(conversation):
    mark(
        actor_for(conversation),
        conversation.pk,
        message_at(branch_of(conversation), 0).pk,
        "exclusion",
    )
    told = "Excluded: left out, starting with your next message."
    assert judged(conversation, 0)[0][3] == told

    add_turn(conversation)

    assert judged(conversation, 0)[0] == (
        Verdict.EXCLUDED,
        "Excluded by hand",
        "7 tokens, none sent",
        "",
    )


def test_an_answer_with_a_tool_is_told_message_by_message(conversation):
    generation = begin_turn(conversation)
    call = ToolCall("c1", "search", "{}")
    append(
        generation.branch,
        [assistant_message("", (call,)), result_message(call, "found", failed=False)],
        generation,
    )
    add_plan(generation)
    end_turn(generation)
    found = verdicts_of(conversation, 7, 9)

    assert [(j.line.position, j.line.who, j.line.text, j.verdict) for j in found.judged] == [
        (7, "agent", "search({})", Verdict.KEPT),
        (8, "tool search", "found", Verdict.KEPT),
        (9, "agent", "An answer", None),
    ]
    assert (found.turn, found.more) == (4, 0)


def test_an_answer_of_very_many_messages_is_told_in_part(conversation, monkeypatch):
    monkeypatch.setattr(verdicts, "MOST", 2)

    found = verdicts_of(conversation, 1, 4)

    assert ([j.line.position for j in found.judged], found.more) == ([1, 2], 2)


@pytest.mark.parametrize(("first", "last"), [(6, 6), (90, 99)])
def test_a_place_without_a_message_is_not_there(conversation, first, last):
    with pytest.raises(NotFound):
        verdicts_of(conversation, first, last)


def test_one_message_needs_no_name(conversation):
    one, both = (
        render_to_string("chat/verdict.html", {"verdicts": verdicts_of(conversation, 0, last)})
        for last in (0, 1)
    )

    assert ("excerpt" in one, both.count("excerpt")) == (False, 2)
