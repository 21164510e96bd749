"""An import that reaches a limit waits until it may go on, and counts nothing twice."""

import pytest
from django.utils import timezone

from chatapp.imports.report import report_of
from chatapp.limits.spending import buckets
from history.models import Attachment, Conversation, Import, ImportState
from history.services.access import Actor
from history.services.imports import lifecycle
from tests.attached import picture
from tests.factories import make_agent
from tests.history.services.imports.files import chatgpt, node, zipped
from tests.history.services.imports.test_storing import go_on, imported

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def demo():
    return make_agent()


def test_a_limit_of_the_day_makes_it_wait(settings):
    settings.BYTES_PER_DAY = 30
    chats = [chatgpt(node("a", "root", text="x" * 25 + str(n)), id=str(n)) for n in range(3)]

    job = imported(chats, actor=Actor(visitor="c" * 32))

    assert (job.state, job.fault["rule"]) == (ImportState.WAITING, "limit")
    assert Conversation.objects.count() == 1


def test_an_import_that_waits_is_left_alone_until_the_limit_allows_more(settings):
    settings.BYTES_PER_DAY = 30
    chats = [chatgpt(node("a", "root", text="x" * 25 + str(n)), id=str(n)) for n in range(2)]

    job = imported(chats, actor=Actor(visitor="d" * 32))

    assert lifecycle.unclaimed("here") == []
    assert 60_000 < lifecycle.waits_for(job) <= job.fault["seconds"]
    assert "It continues automatically in" in report_of(job).fault
    Import.objects.update(alive=timezone.now() - lifecycle.SILENCE)
    assert lifecycle.unclaimed("here") == [job.pk]


def test_files_are_not_counted_again_while_the_texts_wait(settings):
    settings.BYTES_PER_DAY, settings.FILE_BYTES_PER_DAY = 30, 100_000
    beside = {"attachments": [{"id": "file-A1", "name": "cat.png"}]}
    chats = [chatgpt(node("a", "root", text="x" * 29, metadata=beside), id=n) for n in "ab"]
    members = {"conversations.json": chats, "file-A1.png": picture()}
    actor = Actor(visitor="e" * 32)
    job = imported(zipped(members), actor=actor)
    key = ("file bytes", actor.person)
    before = buckets._full_at[key]

    again = go_on(job)

    assert (job.state, again.state, Attachment.objects.count()) == ("waiting", "waiting", 1)
    assert buckets._full_at[key] == pytest.approx(before, abs=1)
