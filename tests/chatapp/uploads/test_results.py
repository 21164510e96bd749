"""Pictures in a tool's result are examined, stored with it, and deleted with its chat."""

from hashlib import sha256

import pytest
from asgiref.sync import async_to_sync
from django.core.files.storage import default_storage

from agents.tools import Picture, ToolResult
from chatapp.generation.records import store_result
from chatapp.transcript.fragments import render_card
from chatapp.uploads.results import with_safe_images
from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import Image, part_from_dict
from history.models import GenerationStatus, Media, Message
from history.services.answers.deleting import delete_conversations
from history.services.answers.lifecycle import Fenced, end
from history.services.path.appending import append, assistant_message
from tests.attached import picture
from tests.factories import begin_turn, make_agent, make_conversation

PHOTO = picture("JPEG", (60, 40), text="harbour")
CALL = ToolCall("c1", "see", "{}")


def seen(*pictures, text="a harbour"):
    given = ToolResult(text, pictures=tuple(map(Picture, pictures)))
    return async_to_sync(with_safe_images)(given)


def test_a_picture_is_written_again_by_us():
    (kept,) = seen(PHOTO).pictures

    assert (kept.width, kept.height) == (60, 40)
    assert kept.supplied == sha256(PHOTO).hexdigest()
    assert kept.data != PHOTO


@pytest.mark.parametrize(
    "data", [b"no picture", b"", PHOTO[:50]], ids=["text", "nothing", "half a picture"]
)
def test_what_is_none_is_left_out_and_the_model_is_told(data):
    result = seen(data, PHOTO)

    assert len(result.pictures) == 1
    assert result.text.startswith("a harbour\n[A picture was left out: ")


@pytest.mark.django_db(transaction=True)
def test_it_is_kept_with_the_result_until_the_chat_is_deleted():
    conversation = make_conversation(make_agent())
    generation = begin_turn(conversation)
    append(generation.branch, [assistant_message("", (CALL,))], generation)

    store_result(generation, 1, CALL, seen(PHOTO, PHOTO))

    message = Message.objects.get(role="tool")
    images = [part_from_dict(part) for part in message.parts]
    assert all(isinstance(image, Image) for image in images)
    assert [image.name for image in images] == ["see 1", "see 2"]
    assert message.tokens > sum(image.tokens for image in images) > 0
    media = Media.objects.get()
    assert media.attachments.get().supplied == sha256(PHOTO).hexdigest()
    assert {image.digest for image in images} == {media.digest}
    assert default_storage.exists(media.file.name)
    assert render_card(generation, "c1").count(f'src="/chat/{conversation.pk}/media/') == 2

    end(generation, GenerationStatus.DONE)
    delete_conversations([conversation.pk])

    assert not Media.objects.exists()
    assert not default_storage.exists(media.file.name)


@pytest.mark.django_db(transaction=True)
def test_a_result_that_comes_too_late_leaves_no_file(media_folder):
    generation = begin_turn(make_conversation(make_agent()))
    end(generation, GenerationStatus.STOPPED)

    with pytest.raises(Fenced):
        store_result(generation, 1, CALL, seen(PHOTO))

    assert not Media.objects.exists()
    assert not any(path.is_file() for path in media_folder.rglob("*"))
