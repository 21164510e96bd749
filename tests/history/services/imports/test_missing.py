"""The chat says at a message that the export names a file but does not contain it."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.test import Client

from chatapp.exports.markdown import Style, as_markdown
from chatapp.imports.report import report_of
from history.models import Conversation, Message
from history.services.access import Actor
from history.services.exports.exporting import exported
from history.services.exports.form import as_json
from history.services.exports.reader import ExportReader
from tests.attached import picture
from tests.exported import make_full_chat
from tests.factories import make_agent
from tests.history.services.imports.files import chatgpt, node, zipped
from tests.history.services.imports.test_storing import imported
from tests.imported import copied
from tests.imported import imported as run_import

pytestmark = pytest.mark.django_db
POINTED = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_0a1b"}
ASKED = {"content_type": "multimodal_text", "parts": [POINTED, "What is it?"]}
BESIDE = {"attachments": [{"id": "file_0a1b", "name": "cat.png"}, {"id": "f2", "name": "n.txt"}]}
CLAUDE = {
    "uuid": "c",
    "name": "Cats",
    "chat_messages": [
        {"uuid": "a", "sender": "human", "text": "See", "files": [{"file_name": "<cat>.png"}]},
        {"uuid": "b", "sender": "assistant", "text": "So", "files": [{"file_name": "dog.png"}]},
    ],
}


@pytest.fixture
def ada():
    make_agent()
    return User.objects.create_user("ada")


def missing(content, ada):
    imported(content, actor=Actor(ada))
    return [row.missing for row in Message.objects.order_by("position")]


def test_each_file_that_is_missing_is_named_once_at_its_message(ada):
    chat = chatgpt(node("a", "root", content=ASKED, metadata=BESIDE), node("b", "a", text="So?"))

    assert missing([chat], ada) == [["file_0a1b", "n.txt"], None]


def test_a_message_that_is_a_missing_picture_alone_stays_in_the_chat(ada):
    alone = {"content_type": "multimodal_text", "parts": [POINTED]}
    chat = chatgpt(node("a", "root", content=alone), node("b", "a", "assistant", "A cat."))

    assert missing([chat], ada) == [["file_0a1b"], None]
    assert [m.text for m in Message.objects.order_by("position")] == ["", "A cat."]


def test_a_file_that_is_there_but_cannot_be_read_is_missing_too(ada):
    chat = chatgpt(node("a", "root", content=ASKED))
    members = {"conversations.json": [chat], "file_0a1b.png": b"MZ\0\1\2"}

    assert missing(zipped(members), ada) == [["image"]]


def test_a_file_that_came_along_is_not_missing(ada):
    chat = chatgpt(node("a", "root", content=ASKED))
    members = {"conversations.json": [chat], "file_0a1b.png": picture()}

    assert missing(zipped(members), ada) == [None]


def test_the_chat_shows_what_is_missing_at_questions_and_answers(ada):
    imported([CLAUDE], actor=Actor(ada))
    client = Client()
    client.force_login(ada)

    shown = client.get(f"/chat/{Conversation.objects.get().pk}").content.decode()

    assert '<span dir="auto">&lt;cat&gt;.png</span> didn\'t come with the import' in shown
    assert '<span dir="auto">dog.png</span> didn\'t come with the import' in shown


def test_markdown_names_what_is_missing_at_its_message(ada):
    imported([CLAUDE], actor=Actor(ada))

    text = "".join(as_markdown(Style()).write(Conversation.objects.get()))

    assert "\n\nSee\n\n*`<cat>.png` didn't come with the import*\n" in text
    assert text.endswith("\n\nSo\n\n*`dog.png` didn't come with the import*\n")


def test_a_picture_of_our_own_archive_with_other_bytes_is_damaged_and_missing():
    chat, ada = make_full_chat(), User.objects.create_user("ada")
    data = b"".join(exported([chat], as_json(ExportReader())).pieces)
    with ZipFile(BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    (broken,) = [name for name in members if name.endswith(".png")]

    job = run_import(zipped({**members, broken: b"not a picture"}), Actor(ada))

    copy = Conversation.objects.get(owner=ada)
    assert not copy.attachments.exists()
    assert [row.missing for row in copy.messages.all() if row.missing] == [["map [old].png"]]
    (entry,) = report_of(job).entries
    assert entry.sentences[-1] == (
        "A file in the archive isn't what was exported; the archive is damaged: map [old].png"
    )


def test_what_is_missing_is_exported_and_comes_back(ada):
    imported([CLAUDE], actor=Actor(ada))

    copy = copied(Conversation.objects.get())

    found = copy.messages.order_by("position").values_list("missing", flat=True)
    assert list(found) == [["<cat>.png"], ["dog.png"]]
