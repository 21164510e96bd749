"""An archive of chats is sent while it is being made."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage

from history.models import Conversation, Media, Viewing
from history.services.access import Actor
from history.services.exports.exporting import all_exported, exported, own_chats, readable_chat
from history.services.exports.form import as_json
from history.services.exports.reader import ExportReader
from history.services.exports.schema import Export
from tests.exported import make_full_chat
from tests.factories import add_turn, begin_turn, make_conversation, make_reader

pytestmark = pytest.mark.django_db(transaction=True)  # Files are stored outside transactions.
JSON = as_json(ExportReader())


@pytest.fixture
def ada():
    return User.objects.create_user("ada")


@pytest.fixture
def chat(ada):
    return make_full_chat(ada)


def unzipped(download):
    archive = ZipFile(BytesIO(b"".join(download.pieces)))
    assert archive.testzip() is None
    return archive


def make_delegated(chat):
    """Make a chat that an agent began by a call in this chat."""
    generation = begin_turn(chat, "Ask the other one")
    child = make_conversation(
        chat.agent, chat.owner, asked_by=generation, asked_call="call_2", depth=1
    )
    add_turn(child)
    return child


def test_a_chat_without_files_is_a_file_of_its_own(ada, chat):
    plain = make_conversation(chat.agent, ada, title="Über den Wolken!")
    add_turn(plain)

    download = exported([plain], JSON)

    assert download.name.endswith(f"-über-den-wolken-{str(plain.pk)[:8]}.json")
    assert Export.model_validate_json(b"".join(download.pieces)).chat.id == plain.pk


def test_a_chat_with_files_is_an_archive_with_their_bytes(chat):
    download = exported([chat], JSON)
    archive = unzipped(download)

    kept = Media.objects.get()
    chat_file, picture, manifest = archive.namelist()
    assert (download.media_type, picture) == ("application/zip", f"files/{kept.digest}.png")
    with kept.file.open() as file:
        assert archive.read(picture) == file.read()
    assert manifest == "manifest.json"
    document = Export.model_validate_json(archive.read(chat_file))
    assert document.media[0].file == picture


def test_what_is_kept_no_longer_is_named_as_missing(chat):
    kept = Media.objects.get()
    default_storage.delete(kept.file.name)

    archive = unzipped(exported([chat], JSON))

    assert json.loads(archive.read("manifest.json"))["missing"] == [kept.digest]
    assert len(archive.namelist()) == 2


def test_all_chats_come_with_those_that_agents_began_the_oldest_first(ada, chat):
    child = make_delegated(chat)
    make_conversation(chat.agent, User.objects.create_user("bob"))

    archive = unzipped(all_exported(own_chats(Actor(ada)), JSON))

    listed = json.loads(archive.read("manifest.json"))["chats"]
    assert [each["id"] for each in listed] == [str(chat.pk), str(child.pk)]
    assert {each["file"] for each in listed} < set(archive.namelist())
    asked = Export.model_validate_json(archive.read(listed[1]["file"])).chat.asked_by
    assert asked is not None
    assert (asked.chat, asked.call) == (chat.pk, "call_2")


def test_a_reader_gets_anybodys_chat_on_record(chat):
    child = make_delegated(chat)
    zoe = Actor(make_reader("zoe"))

    chats = readable_chat(zoe, chat.pk)

    assert [each.pk for each in chats] == [chat.pk, child.pk]
    assert set(Viewing.objects.values_list("viewer", "conversation", "page")) == {
        ("zoe", chat.pk, "export"),
        ("zoe", child.pk, "export"),
    }


def test_a_chat_that_is_deleted_meanwhile_ends_the_file_where_it_is(chat):
    pieces = JSON.write(chat)
    begun = next(pieces)

    Conversation.objects.filter(pk=chat.pk).delete()

    document = Export.model_validate_json(begun + "".join(pieces))
    assert (document.chat.id, document.messages) == (chat.pk, [])
