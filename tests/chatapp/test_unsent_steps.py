"""If a later request of an answer never left, the page shows what the model was really sent."""

import re

import pytest

from chatapp.generation.events import ended
from history.core.transcript.messages import ToolCall
from history.models import GenerationStatus
from history.services.path.appending import append, assistant_message, result_message
from tests.chatapp.inspector.addresses import panel
from tests.chatapp.inspector.pages import text_of, verdicts_of
from tests.factories import add_plan, begin_turn

WHY = "OpenAI can't be reached."
UNSENT = {"kind": "unreachable", "message": WHY, "left": False}
CALL = ToolCall("c1", "calculator", '{"expression": "6*7"}')


@pytest.fixture
def turns():
    return 0


@pytest.fixture
def failed(conversation):
    """Make an answer whose first request asked for a tool, and whose second one never left."""
    generation = begin_turn(conversation, "What is 6 * 7?")
    add_plan(generation, usage={"prompt": 50, "completion": 5})
    append(generation.branch, [assistant_message("", (CALL,)), result_message(CALL, "42")])
    add_plan(generation, 2, error=UNSENT)
    generation.status, generation.error = GenerationStatus.FAILED, UNSENT
    generation.save()
    return generation


def rails(html):
    return re.findall(r'data-rail="(.*?)"', html)


def test_the_chat_shows_what_the_first_request_sent(owner, failed):
    html = owner.get(f"/chat/{failed.conversation_id}").content.decode()

    assert (rails(html), "Nothing was sent" in html) == (["0-0:sent"], False)


def test_so_does_the_end_of_the_answer_in_open_tabs(failed):
    told = ended(failed)

    assert (rails(told["plan"]), "Nothing was sent" in told["plan"]) == (["0-0:sent"], False)
    assert told["url"].endswith(f"/panel?generation={failed.pk}&step=1")


def test_the_inspector_shows_it_and_says_what_was_not_sent(owner, failed):
    response = owner.get(panel(failed.conversation))

    text = text_of(response)
    assert "The model saw the whole chat: 1 message." in text
    assert f"Nothing was sent in step 2: {WHY}" in text
    assert ("Message 1: sent" in text, "Message 1: left out" in text) == (True, False)
    assert verdicts_of(response) == [("+", ""), ("+", ""), ("K", "0")]


@pytest.mark.parametrize(
    ("status", "beginning"),
    [
        (GenerationStatus.RUNNING, "The request in progress has"),
        (GenerationStatus.INTERRUPTED, "The request had"),
        (GenerationStatus.DONE, "The model saw"),
    ],
)
def test_nobody_says_that_a_request_was_seen_before_it_is_known(
    owner, conversation, status, beginning
):
    generation = begin_turn(conversation, "Hello")
    add_plan(generation)
    generation.status = status
    generation.save()

    assert f"{beginning} the whole chat: 1 message." in text_of(owner.get(panel(conversation)))


def test_the_request_that_never_left_can_be_shown(owner, failed):
    query = f"generation={failed.pk}&step=2"

    text = text_of(owner.get(panel(failed.conversation, query)))

    assert f"Nothing was sent: {WHY} It would have got all 3 messages" in text
    assert "Nothing was sent in step 2" not in text
