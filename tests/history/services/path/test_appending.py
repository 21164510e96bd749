"""A model's calls get ids that fit the database, and arguments that can be sent."""

import pytest

from history.core.transcript.messages import ToolCall
from history.services.path.appending import LONGEST_ID, storable_calls
from tests.factories import make_conversation

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param("x" * LONGEST_ID, "x" * LONGEST_ID, id="the longest"),
        pytest.param("x" * (LONGEST_ID + 1), "call_1_0", id="too long"),
    ],
)
def test_an_id_that_no_column_holds_is_replaced(given, kept):
    conversation = make_conversation()

    (call,) = storable_calls(conversation.pk, [ToolCall(given, "clock", "{}")], "call_1")

    assert call.id == kept


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param('{"q": 1}', '{"q": 1}', id="an object"),
        pytest.param("[1]", '{"quoted": "[1]"}', id="no object"),
        pytest.param("", "{}", id="none"),
    ],
)
def test_arguments_are_stored_as_they_could_be_sent(given, kept):
    conversation = make_conversation()

    (call,) = storable_calls(conversation.pk, [ToolCall("c1", "clock", given)], "call_1")

    assert call.arguments == kept
