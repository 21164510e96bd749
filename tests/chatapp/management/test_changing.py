"""`manage.py context pin`, `exclude` and `unmark` change a message's mark."""

from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from history.core.stages.marks import MOST_PINS
from history.services.path.marks import NO_MARKS, Marks, marks_on
from tests.factories import add_turns, branch_of, make_conversation

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation():
    conversation = make_conversation()
    add_turns(conversation, MOST_PINS)
    return conversation


def context(action, conversation, message):
    name = str(getattr(conversation, "pk", conversation))
    call_command("context", action, name, str(message), stdout=(written := StringIO()))
    return written.getvalue()


@pytest.mark.parametrize(
    ("action", "marks", "word"),
    [
        ("pin", Marks(pins=frozenset({1})), "pinned"),
        ("exclude", Marks(exclusions=frozenset({1})), "excluded"),
        ("unmark", NO_MARKS, "neither pinned nor excluded"),
    ],
)
def test_a_message_is_marked_by_its_number(conversation, action, marks, word):
    context("pin", conversation, 2)

    said = context(action, conversation, 2)

    assert said == (
        f"Message 2 (assistant, turn 1) and its segment are {word} from the next request on.\n"
    )
    assert marks_on(branch_of(conversation)) == marks


@pytest.mark.parametrize("message", [0, 2 * MOST_PINS + 1, 2**40])
def test_a_message_that_is_not_there_is_named(conversation, message):
    with pytest.raises(CommandError, match=f"has no message {message}; they count from 1"):
        context("pin", conversation, message)


def test_one_pin_too_many_is_refused_in_a_sentence(conversation):
    for place in range(MOST_PINS):
        context("pin", conversation, place + 1)

    with pytest.raises(CommandError, match=r"You can pin at most 20 messages\. Unpin one first"):
        context("pin", conversation, MOST_PINS + 1)


def test_an_unknown_conversation_is_named(db):
    with pytest.raises(CommandError, match="No conversation has the id"):
        context("pin", uuid4(), 0)
