"""Paths are read across branches, in pages of whole turns; places with other branches are found."""

import pytest

from history.models import Conversation
from history.services.answers.editing import edit
from history.services.answers.sending import retry
from history.services.path.appending import append, assistant_message, user_message
from history.services.path.reading import newest_messages, siblings
from tests.factories import add_turn, make_conversation
from tests.history.services.conftest import ADA, answer, converse, reword

pytestmark = pytest.mark.django_db


def texts(messages):
    return [message.text for message in messages]


@pytest.fixture
def branched(demo):
    """Make a chat of three turns, a branch that edits the second, and a retry on another branch."""
    ack = converse(ADA, "one", "two", "three")
    conversation = Conversation.objects.get(pk=ack.conversation.pk)
    second = conversation.messages.get(text="two")
    edited = edit(ADA, reword(second.pk, "zwei", conversation=conversation.pk))
    answer(edited.generation, "iewz")
    again = retry(ADA, conversation.pk, edited.generation.pk, "")
    answer(again.generation, "iewz!")
    conversation.refresh_from_db()
    return conversation, ack.generation.branch, edited.generation.branch, again.generation.branch


def test_a_path_runs_over_its_branches(branched):
    _, root, edited, again = branched

    assert texts(newest_messages(root, None, 50)) == ["one", "eno", "two", "owt", "three", "eerht"]
    assert texts(newest_messages(edited, None, 50)) == ["one", "eno", "zwei", "iewz"]
    assert texts(newest_messages(again, None, 50)) == ["one", "eno", "zwei", "iewz!"]


def test_siblings_are_offered_where_paths_part(branched):
    conversation, root, edited, again = branched

    assert siblings(conversation, root) == {2: [root.pk, again.pk]}
    assert siblings(conversation, again) == {2: [root.pk, again.pk], 3: [edited.pk, again.pk]}


def test_a_conversation_without_branches_offers_nothing(demo):
    ack = converse(ADA, "one", "two")

    assert siblings(ack.conversation, ack.generation.branch) == {}


def test_a_page_is_cut_at_the_start_of_a_turn():
    conversation = make_conversation()
    for number in range(6):
        add_turn(conversation, f"question {number}", f"answer {number}")
    branch = conversation.branch

    newest = newest_messages(branch, None, 5)
    older = newest_messages(branch, newest[0].position, 5)

    assert texts(newest) == ["question 4", "answer 4", "question 5", "answer 5"]
    assert texts(older) == ["question 2", "answer 2", "question 3", "answer 3"]


def test_a_turn_longer_than_a_page_comes_whole():
    conversation = make_conversation()
    add_turn(conversation, "before", "it")
    parts = [assistant_message(f"part {n}") for n in range(8)]
    append(conversation.branch, [user_message("go"), *parts])

    page = newest_messages(conversation.branch, None, 4)

    assert texts(page) == ["go", *[f"part {n}" for n in range(8)]]


def test_pages_read_a_bounded_number_of_rows(django_assert_num_queries):
    conversation = make_conversation()
    for number in range(30):
        add_turn(conversation, f"question {number}", f"answer {number}")

    with django_assert_num_queries(1):
        newest_messages(conversation.branch, None, 10)
