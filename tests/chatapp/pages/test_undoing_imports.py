"""Undoing an import deletes the chats it added, except those that were continued."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from chatapp.pages.imports import PAGE
from history.models import Conversation, Import
from history.services.access import Actor, visible_conversations
from history.services.answers.deleting import UNDO_SECONDS
from tests.chatapp.pages.test_imports import chats, signed_in
from tests.factories import begin_turn, make_agent
from tests.history.services.imports.test_storing import begun, go_on

NAME = re.compile(r'class="import-name" dir="auto">([^<]+)<')
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada():
    make_agent()
    return User.objects.create_user("ada")


@pytest.fixture
def job(ada):
    """Import four chats, of which one was imported before and one is then continued."""
    go_on(begun(chats(1), actor=Actor(ada)))
    job = go_on(begun(chats(4), actor=Actor(ada)))
    begin_turn(Conversation.objects.get(title="Chat 3"))
    return job


def titles(ada):
    return sorted(visible_conversations(Actor(ada)).values_list("title", flat=True))


def report(client, job):
    return " ".join(client.get(f"/imports/{job.pk}").content.decode().split())


def test_a_report_tells_what_undoing_deletes_and_what_stays(ada, job):
    shown = report(signed_in(ada), job)

    assert "Deletes the 2 chats that it brought in." in shown
    assert "1 chat was continued here and will be kept." in shown


def test_what_it_brought_in_goes_and_what_was_here_or_went_on_stays(ada, job):
    answer = signed_in(ada).post(f"/imports/{job.pk}/undo")

    assert answer.headers["HX-Trigger"] == "chat:list"
    assert "2 chats deleted." in answer.content.decode()
    assert titles(ada) == ["Chat 0", "Chat 3"]


def test_what_went_on_goes_too_if_that_is_wanted(ada, job):
    signed_in(ada).post(f"/imports/{job.pk}/undo", {"continued": "1"})

    assert titles(ada) == ["Chat 0"]


def test_what_was_deleted_is_restored_for_half_a_minute(ada, job):
    client = signed_in(ada)
    client.post(f"/imports/{job.pk}/undo", {"continued": "1"})
    late = Conversation.objects.get(title="Chat 3")
    late.deleted_at = timezone.now() - timedelta(seconds=UNDO_SECONDS + 1)
    late.save()

    answer = client.post(f"/imports/{job.pk}/redo")

    assert titles(ada) == ["Chat 0", "Chat 1", "Chat 2"]
    assert "deleted." not in answer.content.decode()


def test_a_file_is_imported_again_once_its_import_is_undone(ada, job):
    signed_in(ada).post(f"/imports/{job.pk}/undo")

    again = go_on(begun(chats(4), actor=Actor(ada)))

    outcomes = again.entries.order_by("number").values_list("outcome", flat=True)
    assert list(outcomes) == ["known", "stored", "stored", "known"]


def test_a_program_undoes_an_import_that_is_not_read_yet(ada):
    job = begun(chats(2), actor=Actor(ada))

    answer = signed_in(ada).post(f"/api/imports/{job.pk}/undo")

    assert answer.json() == {"deleted": 0, "kept": 0}
    assert Import.objects.get().state == "stopped"


def test_a_program_undoes_an_import_with_what_went_on(ada, job):
    client = signed_in(ada)

    kept = client.post(f"/api/imports/{job.pk}/undo").json()
    gone = client.post(f"/api/imports/{job.pk}/undo?continued=true").json()

    assert (kept, gone) == ({"deleted": 2, "kept": 1}, {"deleted": 1, "kept": 0})
    assert titles(ada) == ["Chat 0"]


@pytest.mark.parametrize("act", ["undo", "redo"])
def test_nobody_undoes_anothers_import(ada, job, act):
    eve = signed_in(User.objects.create_superuser("eve"))

    assert eve.post(f"/imports/{job.pk}/{act}").status_code == 404
    assert len(titles(ada)) == 4


def listed(client, address="/imports"):
    """Return the names of earlier imports in the dialog: undoable ones, and others."""
    html = client.get(address).content.decode()
    chosen, _, fold = html.partition("import-fruitless")
    return NAME.findall(chosen), NAME.findall(fold)


def test_what_can_be_undone_stays_listed_whatever_fails_later(ada):
    go_on(begun(chats(3), actor=Actor(ada), name="mine.json"))
    for number in range(8):
        go_on(begun({"a": number}, actor=Actor(ada), name=f"bad {number}.json"))
    client = signed_in(ada)

    assert listed(client) == (["mine.json"], [f"bad {n}.json" for n in range(7, -1, -1)])
    assert "Undo this import" in client.get("/imports").content.decode()

    client.post(f"/imports/{Import.objects.get(name='mine.json').pk}/undo")
    assert listed(client)[0] == ["mine.json"]
    late = timezone.now() - timedelta(seconds=UNDO_SECONDS + 1)
    Conversation.objects.update(deleted_at=late)
    assert listed(client)[0] == []
    assert "mine.json" in listed(client)[1]


def test_more_than_a_page_of_imports_is_paged_to_its_end(ada):
    for number in range(PAGE + 2):
        said = chats(number + 1)[-1:]
        go_on(begun(said, actor=Actor(ada), name=f"{number}.json"))
    client = signed_in(ada)

    assert len(listed(client)[0]) == PAGE
    assert f'hx-get="/imports?from={PAGE}"' in client.get("/imports").content.decode()
    more = client.get(f"/imports?from={PAGE}").content.decode()
    assert NAME.findall(more) == ["1.json", "0.json"]
    assert "Show more" not in more
    assert listed(client, "/imports?from=x")[0] == listed(client)[0]
