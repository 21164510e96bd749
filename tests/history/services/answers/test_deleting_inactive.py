"""Chats that nobody continues can be found, and deleted with all that belongs to them."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from agents.models import AgentTemplate
from history.models import Conversation
from history.services.answers import deleting
from history.services.answers.deleting import delete_conversations, expired_deletions
from tests.factories import add_turn, begin_turn, make_conversation

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def chat(title, days, **fields):
    made = make_conversation(AgentTemplate.objects.get(), title=title)
    add_turn(made)
    active = timezone.now() - timedelta(days=days)
    Conversation.objects.filter(pk=made.pk).update(active=active, **fields)
    return made


@pytest.fixture
def several(demo):
    chat("new", 10)
    chat("old", 400)
    chat("archived", 400, archived_at=NOW)
    chat("pinned", 400, pinned_at=NOW)
    chat("deleted", 400, deleted_at=NOW)
    begin_turn(chat("busy", 400))
    old = timezone.now() - timedelta(days=400)
    Conversation.objects.filter(title="busy").update(active=old)


def told(*arguments):
    said = StringIO()
    call_command("delete_inactive", *arguments, stdout=said)
    return said.getvalue()


def seen():
    return set(Conversation.objects.filter(deleted_at=None).values_list("title", flat=True))


def test_they_are_counted_and_nothing_is_deleted(several):
    before = seen()

    said = told("365")

    assert ": 2.\nMessages in them: 4.\nPinned ones, which stay without --pinned: 1.\n" in said
    assert seen() == before


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        pytest.param(["365"], {"new", "pinned", "busy"}, id="without pinned ones"),
        pytest.param(["365", "--pinned"], {"new", "busy"}, id="with pinned ones"),
        pytest.param(["1"], {"pinned", "busy"}, id="of a day"),
        pytest.param(["500"], {"new", "old", "archived", "pinned", "busy"}, id="none"),
    ],
)
def test_they_are_deleted_but_not_where_an_answer_is_written(several, arguments, left):
    told(*arguments, "--delete")

    assert seen() == left


def test_nobody_can_restore_them_for_long(several, monkeypatch):
    told("365", "--delete")
    Conversation.objects.exclude(deleted_at=None).update(deleted_at=NOW - timedelta(minutes=5))

    delete_conversations(expired_deletions())

    assert set(Conversation.objects.values_list("title", flat=True)) == {"new", "pinned", "busy"}


def test_what_an_agent_began_goes_with_its_chat_and_not_alone(demo):
    whole = chat("whole", 400)
    begun = chat("begun within", 400, asked_by=whole.generations.get())
    assert list(deleting.inactive(timezone.now())) == [whole]

    told("365", "--delete")

    begun.refresh_from_db()
    assert begun.deleted_at is not None


def test_many_are_deleted_a_part_at_a_time(demo, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(deleting, "HIDDEN_AT_ONCE", 2)
    for each in range(5):
        chat(f"old {each}", 400)

    with django_assert_max_num_queries(20):
        assert deleting.hide_inactive(timezone.now() - timedelta(days=365)) == 5
    assert seen() == set()


@pytest.mark.parametrize("days", ["0", "-1", "36501", "1000000000000"])
def test_a_bad_number_of_days_is_an_error(days):
    with pytest.raises(CommandError, match="The days must be from 1 to 36500"):
        told("--", days)
