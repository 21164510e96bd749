"""The actions on messages of a chat, over HTTP."""

import json
import re

import pytest
from django.test import Client

from history.core.stages.marks import MOST_PINS
from history.services.path.marks import NO_MARKS, Marks, mark, marks_on
from history.services.path.reading import message_at
from tests.factories import actor_for, add_turns, branch_of, make_conversation, make_summary

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(history_settings={"policy": "none"}),
    pytest.mark.turns(2),
]


def verdict(client, conversation, places):
    return client.get(f"/chat/{conversation.pk}/messages/{places}/verdict")


def put(client, conversation, body):
    return client.post(f"/chat/{conversation.pk}/marks", body, content_type="application/json")


def message(conversation, position):
    return message_at(branch_of(conversation), position).pk


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())).strip()


def test_a_verdict_is_letter_word_tokens_and_sentence(owner, conversation):
    assert text_of(verdict(owner, conversation, "0-0")) == (
        "In the latest request (turn 2) T trimmed 7 tokens, none sent "
        "Turn 1 of 2; History policy none keeps turn 2 Show in the inspector"
    )


def test_messages_of_one_answer_are_named(owner, conversation):
    told = text_of(verdict(owner, conversation, "0-1"))

    assert "user Question 1" in told
    assert "agent Answer 1" in told


def test_before_the_first_request_it_says_so(client):
    conversation = make_conversation()
    add_turns(conversation, 1)
    session = client.session
    session["visitor"] = conversation.visitor
    session.save()

    told = text_of(verdict(client, conversation, "0-0"))

    assert told.startswith("Not sent yet Not decided yet")
    assert "inspector" not in told


@pytest.mark.parametrize("places", ["4-4", "1-0", f"0-{2**31}", f"{2**70}-{2**70}"])
def test_a_place_that_is_none_is_not_there(owner, conversation, places):
    assert verdict(owner, conversation, places).status_code == 404


def test_a_stranger_finds_neither(conversation):
    stranger = Client()
    wanted = {"marks": {message(conversation, 0): "pin"}}

    assert verdict(stranger, conversation, "0-0").status_code == 404
    assert put(stranger, conversation, wanted).status_code == 404
    assert marks_on(branch_of(conversation)) == NO_MARKS


def test_marks_are_set_and_the_answer_undoes_them(owner, conversation):
    first, second = message(conversation, 0), message(conversation, 1)
    answer = put(owner, conversation, {"marks": {first: "pin", second: "pin"}}).json()

    assert marks_on(branch_of(conversation)) == Marks(frozenset({0, 1}))
    assert answer == {
        "marks": {str(first): "pin", str(second): "pin"},
        "before": {str(first): "", str(second): ""},
        "said": "Pinned. It will always be sent, starting with your next message.",
    }
    put(owner, conversation, {"marks": answer["before"]})
    assert marks_on(branch_of(conversation)) == NO_MARKS


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        (("exclusion", "exclusion"), "Nothing is deleted."),
        (("", ""), "Back to what the settings decide, starting with your next message."),
        (("pin", ""), "as they were before."),
    ],
)
def test_the_answer_to_a_mark_says_what_was_done(owner, conversation, kinds, said):
    wanted = {message(conversation, place): kind for place, kind in enumerate(kinds)}

    assert put(owner, conversation, {"marks": wanted}).json()["said"].endswith(said)


def test_a_pin_too_many_is_a_sentence_and_no_error_of_the_browser(owner, conversation):
    add_turns(conversation, MOST_PINS)
    for place in range(MOST_PINS):
        mark(actor_for(conversation), conversation.pk, message(conversation, place), "pin")

    response = put(owner, conversation, {"marks": {message(conversation, 21): "pin"}})

    refused = f"You can pin at most {MOST_PINS} messages. Unpin one first."
    assert (response.status_code, response.json()) == (200, {"refused": refused})


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("{", id="no JSON"),
        pytest.param("{}", id="nothing"),
        pytest.param('{"marks": {}}', id="no marks"),
        pytest.param('{"marks": {"1": "star"}}', id="no such kind"),
        pytest.param('{"marks": {"0": "pin"}}', id="no message has this number"),
        pytest.param(json.dumps({"marks": {2**63: "pin"}}), id="a number past the database's"),
        pytest.param('{"marks": {"1": "pin"}, "text": "x"}', id="more than marks"),
        pytest.param(json.dumps({"marks": dict.fromkeys(range(1, 202), "pin")}), id="too many"),
    ],
)
def test_what_is_no_mark_is_refused(owner, conversation, body):
    assert put(owner, conversation, body).status_code == 422
    assert marks_on(branch_of(conversation)) == NO_MARKS


def test_without_a_token_nothing_is_marked(conversation):
    careful = Client(enforce_csrf_checks=True)
    session = careful.session
    session["visitor"] = conversation.visitor
    session.save()

    assert (
        put(careful, conversation, {"marks": {message(conversation, 0): "pin"}}).status_code == 403
    )
    assert marks_on(branch_of(conversation)) == NO_MARKS


def test_the_page_shows_marks_in_words(owner, conversation):
    put(owner, conversation, {"marks": {message(conversation, 0): "exclusion"}})
    html = owner.get(f"/chat/{conversation.pk}").content.decode()
    chat = html.split('<template id="piece-')[0]
    shown = re.findall(r'<span class="mark-state"\s+data-when="(\w+)"\s*>', chat)

    assert shown == ["exclusion"]
    assert "Excluded" in chat


def undo(client, conversation, summary):
    return client.post(f"/chat/{conversation.pk}/summaries/{summary}/undo")


def test_a_page_without_the_chat_undoes_a_summary_and_is_loaded_again(owner, conversation):
    summary = make_summary(conversation, last=1, last_turn=1)

    answer = undo(owner, conversation, summary.pk)

    assert (answer.status_code, answer.headers["HX-Refresh"]) == (204, "true")
    summary.refresh_from_db()
    assert summary.state == "undone"
    again = undo(owner, conversation, summary.pk)
    assert (again.status_code, again.content) == (409, b"There is no summary to undo.")


def test_a_stranger_finds_no_summary_to_undo(conversation):
    summary = make_summary(conversation, last=1, last_turn=1)

    assert undo(Client(), conversation, summary.pk).status_code == 404
    summary.refresh_from_db()
    assert summary.state == "ready"
