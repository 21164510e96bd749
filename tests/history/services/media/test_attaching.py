"""A file belongs to its uploader until it is sent, once; its bytes are stored once."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.utils import timezone

from agents.models import AgentTemplate
from history.core.transcript.parts import Image
from history.models import Attachment, Media
from history.services.access import Actor, adopt_visitor
from history.services.answers.commands import Send
from history.services.answers.deleting import delete_conversations, delete_users
from history.services.answers.lifecycle import interrupt
from history.services.answers.sending import retry, send
from history.services.errors import NotFound, Refused
from history.services.media.attaching import attach_result, drop_forgotten, remove
from history.services.media.keeping import StoredFile
from history.services.media.reading import data_url, media_of
from tests.attached import attach_picture, picture
from tests.factories import make_agent

pytestmark = pytest.mark.django_db(transaction=True)
ADA, BOB = Actor(visitor="a" * 32), Actor(visitor="b" * 32)


@pytest.fixture(autouse=True)
def agent():
    return make_agent()


def saying(*files, text="Look", **fields):
    where = {} if "conversation" in fields else {"agent": "demo"}
    attachments = tuple(file.pk for file in files)
    return Send(text=text, client_msg_id=uuid4(), attachments=attachments, **where, **fields)


def begun(actor, *files, **fields):
    """Begin a chat with these files, and end its answer."""
    ack = send(actor, saying(*files, **fields))
    interrupt(ack.generation)
    return ack


def files_on_disk():
    folders, names = default_storage.listdir("")
    return names + [name for each in folders for name in default_storage.listdir(each)[1]]


def test_a_result_whose_acknowledgement_was_lost_keeps_its_picture_once():
    message = begun(ADA, text="Draw").message
    kept = StoredFile(picture(text="map"), "image/png", 40, 30)
    for _try in range(2):
        attach_result("draw", {"supplied": kept}, lambda: message)

    (row,) = Attachment.objects.filter(message=message)
    assert (row.supplied, [each.digest for each in row.media.all()]) == ("supplied", [kept.digest])


def test_the_message_has_the_parts_and_the_chat_the_picture():
    file = attach_picture(ADA, "map", name="map.png")
    ack = send(ADA, saying(file))

    (part,) = ack.message.as_core().parts
    assert isinstance(part, Image)
    assert (part.name, part.width, part.height) == ("map.png", 40, 30)
    assert media_of(ADA, ack.conversation.pk, part.digest).data == picture(text="map")
    file.refresh_from_db()
    assert (file.parts, file.visitor, file.message) == ([], "", ack.message)


def test_a_message_may_be_nothing_but_files():
    ack = send(ADA, saying(attach_picture(ADA, name="plan of berth.png"), text=" "))

    assert ack.conversation.title == "plan of berth.png"
    with pytest.raises(Refused, match="empty"):
        send(ADA, saying(text=" "))


def test_the_same_message_again_is_acknowledged_again():
    command = saying(attach_picture(ADA))
    first, second = send(ADA, command), send(ADA, command)

    assert (second.message.pk, second.is_new) == (first.message.pk, False)


@pytest.mark.parametrize("whose", ["another person's", "a sent one", "an expired one", "none"])
def test_only_ones_own_unsent_files_can_be_sent(whose):
    sent, expired = attach_picture(ADA), attach_picture(ADA)
    Attachment.objects.filter(pk=expired.pk).update(created=timezone.now() - timedelta(days=2))
    drop_forgotten()
    conversation = begun(ADA, sent).conversation
    wrong = {
        "another person's": attach_picture(BOB).pk,
        "a sent one": sent.pk,
        "an expired one": expired.pk,
        "none": uuid4(),
    }[whose]
    command = Send(text="Hi", client_msg_id=uuid4(), attachments=(wrong,))

    for place in ({"agent": "demo"}, {"conversation": conversation.pk}):
        with pytest.raises(NotFound, match="File 1 of this message"):
            send(ADA, command.model_copy(update=place))
    assert conversation.messages.count() == 1


def test_a_message_has_a_limited_number_of_files(settings):
    settings.FILES_PER_MESSAGE = 1
    files = [attach_picture(ADA, text) for text in "ab"]

    with pytest.raises(Refused, match=f"at most 1 .* beyond: {files[1].name}"):
        send(ADA, saying(*files))


def test_a_model_without_images_is_not_asked(catalogue):
    catalogue.takes_images = lambda model: False

    with pytest.raises(Refused, match="doesn't take images") as refused:
        send(ADA, saying(attach_picture(ADA)))
    assert refused.value.code == "no_images"
    assert Attachment.objects.get().conversation is None


def test_another_model_of_the_agent_that_takes_images_is_named(catalogue):
    catalogue.takes_images = lambda model: model == "lab/seeing"
    AgentTemplate.objects.filter(slug="demo").update(allowed_models=["lab/blind", "lab/seeing"])

    with pytest.raises(Refused, match="or choose another model: lab/seeing"):
        send(ADA, saying(attach_picture(ADA)))


def test_it_is_not_asked_again_either(catalogue):
    ack = begun(ADA, attach_picture(ADA))
    catalogue.takes_images = lambda model: False

    with pytest.raises(Refused, match="doesn't take images"):
        retry(ADA, ack.conversation.pk, ack.generation.pk, "")


def test_bytes_are_kept_once_and_until_the_last_chat_with_them_is_deleted():
    chats = [begun(ADA, attach_picture(ADA, "map")).conversation.pk for _ in range(2)]
    digest = Media.objects.get().pk
    assert len(files_on_disk()) == 1

    delete_conversations(chats[:1])
    assert data_url(digest).startswith("data:image/png;base64,")
    with pytest.raises(NotFound):
        media_of(ADA, chats[0], digest)

    delete_conversations(chats[1:])
    assert (Media.objects.count(), files_on_disk(), data_url(digest)) == (0, [], "")


def test_a_persons_files_go_with_them():
    user = User.objects.create_user("ada")
    begun(Actor(user), attach_picture(Actor(user), "sent"))
    attach_picture(Actor(user), "unsent")
    attach_picture(BOB, "sent")

    delete_users([user.pk])

    assert (Media.objects.count(), len(files_on_disk())) == (1, 1)


def test_a_removed_or_forgotten_file_is_deleted_and_no_other():
    removed, forgotten, kept = (attach_picture(ADA, text) for text in "abc")
    sent = begun(ADA, attach_picture(ADA, "d"))
    old = timezone.now() - timedelta(days=2)
    Attachment.objects.filter(pk__in=[forgotten.pk, sent.message.attachments.get().pk]).update(
        created=old
    )
    with pytest.raises(NotFound):
        remove(BOB, removed.pk)

    remove(ADA, removed.pk)
    drop_forgotten()

    left = set(Attachment.objects.values_list("pk", flat=True))
    assert left == {kept.pk, sent.message.attachments.get().pk}
    assert len(files_on_disk()) == Media.objects.count() == 2


def test_signing_in_keeps_what_a_visitor_had_attached():
    user = User.objects.create_user("ada")
    file = attach_picture(ADA)

    adopt_visitor(user, ADA.visitor)

    assert send(Actor(user), saying(file)).message.parts
