"""An edited message keeps its files, except removed ones, and gets new ones.

Refused edits are tested in tests/running/test_programs_files.py.
"""

from uuid import uuid4

import pytest

from history.core.transcript.parts import File, Image
from history.services.answers.commands import Edit
from history.services.answers.conversation import open_branch, rename_conversation
from history.services.answers.editing import edit
from history.services.answers.lifecycle import interrupt
from history.services.answers.sending import send
from history.services.errors import Conflict
from history.services.media.attaching import AttachableFile, attach
from history.services.media.keeping import StoredFile
from history.services.media.reading import media_of
from tests.attached import attach_picture, picture
from tests.history.services.conftest import ADA, say

pytestmark = pytest.mark.django_db(transaction=True)


def attach_report():
    """Attach a PDF with a text, and with two pages that became images."""
    file = File("d" * 64, "d" * 64, "application/pdf", "report.pdf", 900, 2, "Two berths", 3)
    pages = [StoredFile(picture(text=text), "image/png", 40, 30) for text in "12"]
    images = (Image(page.digest, "d" * 64, page.type, "report.pdf") for page in pages)
    return attach(
        ADA, AttachableFile("report.pdf", file.type, 900, "d" * 64, 2, (file, *images)), pages
    )


@pytest.fixture
def ack(demo):
    """Send a message with a photo, a report and the photo again, and end its answer."""
    files = [attach_picture(ADA, name="a.png"), attach_report(), attach_picture(ADA, name="b.png")]
    sent = send(ADA, say(agent="demo", attachments=tuple(file.pk for file in files)))
    interrupt(sent.generation)
    return sent


def reworded(ack, text="Closer", **fields):
    ids = {"conversation": ack.conversation.pk, "message": ack.message.pk}
    return Edit(text=text, **({"client_msg_id": uuid4()} | ids | fields))


def names(message):
    return [part["name"] for part in message.parts]


REPORT = ["report.pdf"] * 3


@pytest.mark.parametrize(
    ("without", "left"),
    [
        pytest.param((), ["a.png", *REPORT, "b.png"], id="all are kept"),
        pytest.param((0,), [*REPORT, "b.png"], id="not its twin"),
        pytest.param((1,), ["a.png", "b.png"], id="with its pages"),
        pytest.param((3,), ["a.png", "b.png"], id="by one of its pages"),
        pytest.param((4, 0, 4), REPORT, id="two"),
        pytest.param((0, 1, 4), [], id="all"),
    ],
)
def test_files_are_taken_off_and_new_ones_follow(ack, without, left):
    new = attach_picture(ADA, "new", name="new.png")

    edited = edit(ADA, reworded(ack, without=without, attachments=(new.pk,))).message

    assert names(edited) == [*left, "new.png"]
    ack.message.refresh_from_db()
    assert names(ack.message) == ["a.png", *REPORT, "b.png"]
    for part in ack.message.as_core().parts:
        assert isinstance(part, File) or media_of(ADA, ack.conversation.pk, part.digest).data


def test_an_edited_message_may_be_nothing_but_files(ack):
    assert edit(ADA, reworded(ack, " ", without=(1,))).message.parts


def test_an_id_stands_for_one_message_with_its_files(ack):
    new, other = (attach_picture(ADA, text) for text in "no")
    again = {"client_msg_id": uuid4()}

    first = edit(ADA, reworded(ack, attachments=(new.pk,), **again))
    assert edit(ADA, reworded(ack, attachments=(new.pk,), **again)).message == first.message
    with pytest.raises(Conflict, match="different message"):
        edit(ADA, reworded(ack, attachments=(other.pk,), **again))


def titled(ack):
    ack.conversation.refresh_from_db()
    return ack.conversation.title


def test_a_title_made_from_the_first_message_follows_each_of_its_versions(ack):
    assert titled(ack) == "Hello"
    second = edit(ADA, reworded(ack, "Closer\nand more"))
    assert titled(ack) == "Closer"
    interrupt(second.generation)

    edit(ADA, reworded(ack, "Further", message=second.message.pk))

    assert titled(ack) == "Further"


def test_a_title_made_from_the_first_message_follows_the_version_that_is_shown(ack):
    edited = edit(ADA, reworded(ack, "Closer"))
    interrupt(edited.generation)
    for shown, title in ((ack, "Hello"), (edited, "Closer")):
        open_branch(ADA, ack.conversation.pk, shown.message.branch_id)

        assert titled(ack) == title

    rename_conversation(ADA, ack.conversation.pk, "Berths")
    open_branch(ADA, ack.conversation.pk, ack.message.branch_id)

    assert titled(ack) == "Berths"


def test_without_words_the_title_is_the_first_files_name(ack):
    edit(ADA, reworded(ack, "", without=(0,)))

    assert titled(ack) == "report.pdf"


def test_a_title_that_somebody_gave_it_stays(ack):
    rename_conversation(ADA, ack.conversation.pk, "Berths")
    edit(ADA, reworded(ack))

    assert titled(ack) == "Berths"


def test_a_later_message_gives_no_title(ack):
    later = send(ADA, say("What else?", conversation=ack.conversation.pk))
    interrupt(later.generation)
    edit(ADA, reworded(later, "And else?"))

    assert titled(ack) == "Hello"
