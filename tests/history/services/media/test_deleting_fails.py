"""Failed deletions leave no file for ever, neither in a folder nor in a bucket."""

from datetime import timedelta

import pytest
from django.utils import timezone

from history.models import Media, Stray
from history.services.access import Actor
from history.services.answers.deleting import delete_conversations
from history.services.media import keeping
from tests.attached import attach_picture, picture, put_picture
from tests.factories import make_agent, make_conversation

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
ADA = Actor(visitor="a" * 32)


def hours_pass():
    Stray.objects.update(created=timezone.now() - timedelta(hours=2))
    keeping.drop_strays()


def test_what_cannot_be_deleted_with_the_chat_is_deleted_later(kept):
    chat = make_conversation(make_agent())
    put_picture(chat, "map")

    with kept.refusing():
        delete_conversations([chat.pk])
        hours_pass()
        assert (Media.objects.count(), Stray.objects.count()) == (0, 1)
    assert len(kept.files()) == 1

    hours_pass()
    assert (kept.files(), Stray.objects.count()) == ([], 0)


def test_a_process_that_ends_while_it_writes_leaves_nothing(folder):
    keeping.write(keeping.StoredFile(picture(), "image/png", 40, 30))

    keeping.drop_strays()
    assert len(folder.files()) == 1  # A process may still be writing it.
    hours_pass()
    assert (folder.files(), Stray.objects.count()) == ([], 0)


def test_what_was_written_before_one_that_fails_is_deleted_at_once(kept):
    good = keeping.StoredFile(picture(), "image/png", 40, 30)
    unknown = keeping.StoredFile(b"x", "image/unknown", 0, 0)

    with pytest.raises(KeyError), keeping.writing([good, unknown]):
        pytest.fail("not all files were written")

    assert (kept.files(), Stray.objects.count()) == ([], 0)


def test_what_somebody_has_is_no_stray(folder):
    attach_picture(ADA, "map")
    attach_picture(ADA, "map")

    hours_pass()
    assert (len(folder.files()), Media.objects.count(), Stray.objects.count()) == (1, 1, 0)


def test_one_that_fails_keeps_no_other(folder):
    """While the old file cannot be deleted, the same bytes are attached again."""
    chat = make_conversation(make_agent())
    put_picture(chat, "map")

    with folder.refusing():
        delete_conversations([chat.pk])
        attach_picture(ADA, "map")
    hours_pass()

    (media,) = Media.objects.all()
    (file,) = folder.files()
    assert media.file.name.endswith(file.rpartition("/")[2])
    with media.file.open() as opened:
        assert opened.read() == picture(text="map")
