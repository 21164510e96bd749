import pytest

from history.models import Branch
from history.services.access import Actor
from history.services.answers.conversation import open_branch, rename_conversation
from history.services.errors import Conflict, NotFound
from tests.factories import actor_for, begin_turn

pytestmark = pytest.mark.django_db
BOB = Actor(visitor="b" * 32)


@pytest.fixture
def other(conversation):
    return Branch.objects.create(conversation=conversation)


def test_renaming_changes_the_title_alone(conversation):
    rename_conversation(actor_for(conversation), conversation.pk, "Rome")
    before = conversation.history_settings, conversation.branch, conversation.active
    conversation.refresh_from_db()

    assert conversation.title == "Rome"
    assert (conversation.history_settings, conversation.branch, conversation.active) == before


def test_another_branch_is_opened(conversation, other):
    open_branch(actor_for(conversation), conversation.pk, other.pk)
    conversation.refresh_from_db()

    assert conversation.branch == other


def test_the_branch_stays_while_an_answer_is_written(conversation, other):
    begin_turn(conversation)
    with pytest.raises(Conflict) as refusal:
        open_branch(actor_for(conversation), conversation.pk, other.pk)

    assert refusal.value.code == "busy"


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda mine, _: rename_conversation(BOB, mine.pk, "Bob's"), id="rename"),
        pytest.param(lambda mine, other: open_branch(BOB, mine.pk, other.pk), id="branch"),
        pytest.param(
            lambda mine, other: open_branch(actor_for(mine), mine.pk, other.pk + 1),
            id="no such branch",
        ),
    ],
)
def test_a_conversation_one_may_not_see_is_not_found(conversation, other, act):
    with pytest.raises(NotFound):
        act(conversation, other)
    before = conversation.title, conversation.branch
    conversation.refresh_from_db()

    assert (conversation.title, conversation.branch) == before
