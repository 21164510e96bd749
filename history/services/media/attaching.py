"""Attach files. A file belongs to a person until it is sent, and then to a conversation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from history.core.transcript.parts import File, Image, Part, part_as_dict, part_from_dict
from history.models import Attachment, Message
from history.services.access import Actor
from history.services.errors import NotFound, Refused
from history.services.media import keeping

UNSENT_LIFE = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class AttachableFile:
    """A supplied file, and the parts that a message gets for it."""

    name: str
    type: str
    size: int
    digest: str
    pages: int
    parts: tuple[Image | File, ...]
    notes: Sequence[dict[str, object]] = ()


def attach(
    actor: Actor, file: AttachableFile, pictures: Sequence[keeping.StoredFile]
) -> Attachment:
    """Store a file for the actor's next message. Call this outside any transaction."""
    if actor.is_nobody:
        raise NotFound
    with keeping.writing(pictures) as rows:
        attachment = Attachment.objects.create(
            **actor.ownership,
            supplied=file.digest,
            name=file.name,
            type=file.type,
            size=file.size,
            pages=file.pages,
            parts=[part_as_dict(part) for part in file.parts],
            notes=list(file.notes),
        )
        attachment.media.set(keeping.store(rows))
    return attachment


def attach_result(
    name: str, pictures: Mapping[str, keeping.StoredFile], store: Callable[[], Message]
) -> None:
    """Store a tool's result by calling `store`, and its images for the conversation, each under the
    digest of what the tool supplied. Call this outside any transaction.
    """
    with keeping.writing(pictures.values()) as rows:
        message = store()
        if Attachment.objects.filter(message=message).exists():
            return  # An earlier try has stored them.
        media = {row.digest: row for row in keeping.store(rows)}
        for digest, picture in pictures.items():
            attachment = Attachment.objects.create(
                conversation_id=message.conversation_id,
                message=message,
                supplied=digest,
                name=name,
                type=picture.type,
                size=len(picture.data),
            )
            attachment.media.add(media[picture.digest])


def unsent(actor: Actor, attachment_id: UUID) -> Attachment:
    """Return a file of the actor that was not sent yet. Raise NotFound if there is none."""
    attachment = _of(actor).filter(pk=attachment_id).first()
    if attachment is None:
        raise NotFound("attachment")
    return attachment


def lock_attachments(actor: Actor, ids: Sequence[UUID], beside: int = 0) -> list[Attachment]:
    """Lock the attachments until the transaction ends, and return them in this order. `beside` is
    the number of other files in the message.

    Raise NotFound if one belongs to somebody else, was sent already, is named twice, or does not
    exist.
    """
    if not ids:
        return []
    _refuse_too_many(actor, ids, beside)
    rows = {row.pk: row for row in _of(actor).select_for_update(of=("self",)).filter(pk__in=ids)}
    return [_taken(rows, id_, number) for number, id_ in enumerate(ids, beside + 1)]


def _taken(rows: dict[UUID, Attachment], id_: UUID, number: int) -> Attachment:
    if row := rows.pop(id_, None):
        return row
    raise NotFound("attached", number=number)


def _refuse_too_many(actor: Actor, ids: Sequence[UUID], beside: int) -> None:
    most = settings.FILES_PER_MESSAGE
    if len(ids) + beside <= most:
        return
    beyond = _of(actor).filter(pk__in=ids[max(0, most - beside) :])
    names = ", ".join(sorted(beyond.values_list("name", flat=True)))
    sentence = _("A message can have at most {most} files. Remove those beyond: {names}.")
    raise Refused("too_many_files", sentence.format(most=most, names=names))


def parts_of(attachments: Sequence[Attachment]) -> tuple[Part, ...]:
    return tuple(part_from_dict(part) for row in attachments for part in row.parts)


def give(attachments: Sequence[Attachment], message: Message) -> None:
    """Give attachments to the message, which holds their parts from then on."""
    for row in attachments:
        row.owner, row.visitor, row.parts = None, "", []
        row.conversation_id, row.message = message.conversation_id, message
        row.save(update_fields=["owner", "visitor", "parts", "conversation", "message"])


@transaction.atomic
def remove(actor: Actor, attachment_id: UUID) -> None:
    """Delete a file that has not been sent. Raise NotFound."""
    _drop(Q(pk=unsent(actor, attachment_id).pk))


def drop_unsent(actor: Actor) -> None:
    """Delete all files of the actor that have not been sent."""
    _drop(Q(pk__in=_of(actor).values("pk")))


def drop_forgotten() -> None:
    """Delete old files that were never sent."""
    before = timezone.now() - UNSENT_LIFE
    old = Q(conversation__isnull=True, created__lt=before)
    if Attachment.objects.filter(old).exists():
        with transaction.atomic():
            _drop(old)


def _drop(unsent_ones: Q) -> None:
    """Delete attachments that were not sent, except those that are being sent at this moment."""
    unsent_rows = Attachment.objects.filter(unsent_ones, conversation__isnull=True)
    ids = list(unsent_rows.select_for_update(of=("self",)).values_list("pk", flat=True))
    digests = keeping.digests_of(Q(pk__in=ids))
    Attachment.objects.filter(pk__in=ids).delete()
    keeping.drop_unheld(digests)


def _of(actor: Actor) -> QuerySet[Attachment]:
    return Attachment.objects.filter(conversation__isnull=True, **actor.ownership)
