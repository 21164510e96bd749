"""Files that people attached: the bytes that are kept, and the parts made of each file."""

import uuid
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from history.models.conversation import Conversation
from history.models.message import Message

# Types of images that Vitrine wrote itself, so pages may show them.
PICTURES = {"image/png": "png", "image/jpeg": "jpg"}
# Types of files that are kept as they were supplied, so pages never show them.
ORIGINALS = {"application/pdf": "pdf", "text/plain": "txt"}
ENDINGS = {**PICTURES, **ORIGINALS}


def address_of(media: "Media", _name: str) -> str:
    """Return a file name that no user has chosen, and that no other row ever has."""
    return f"{media.digest[:2]}/{media.digest}-{uuid4().hex[:8]}.{ENDINGS[media.type]}"


class Media(models.Model):
    """Bytes that are kept once, under their SHA-256. They are an image as it is sent to models, or
    a file as it was supplied, whose width and height are 0. Pages take an image's size from its
    part; the size in this row is for administrators.

    Each row's file has a name of its own: deleting the file of one row can never delete that of
    another row, which was stored meanwhile for the same bytes.
    """

    digest = models.CharField(_("digest"), primary_key=True, max_length=64)
    type = models.CharField(_("type"), max_length=30, choices=[(kind, kind) for kind in ENDINGS])
    size = models.PositiveIntegerField(_("size"), help_text=_("In bytes."))
    width = models.PositiveIntegerField(_("width"))
    height = models.PositiveIntegerField(_("height"))
    file = models.FileField(_("file"), upload_to=address_of, max_length=120)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("media")
        verbose_name_plural = _("media")

    def __str__(self) -> str:
        return self.digest


class Stray(models.Model):
    """The name of a file that no `Media` row refers to, because it is being written or is to be
    deleted.

    The name is stored before the file is written, or in the transaction that deletes the file's
    row. So no file is left behind, whatever ends the process in between.
    """

    file = models.CharField(primary_key=True, max_length=120)
    created = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.file


class Attachment(models.Model):
    """A supplied file. It belongs to a person until it is sent, and from then on to a conversation.

    `parts` are the parts that the message will get; on sending they move to the message. The digest
    `supplied` identifies the file as it was supplied by a person, a program or a tool.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+"
    )
    visitor = models.CharField(max_length=32, blank=True)
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, null=True, blank=True, related_name="attachments"
    )
    message = models.ForeignKey(
        Message, models.CASCADE, null=True, blank=True, related_name="attachments"
    )
    supplied = models.CharField(max_length=64, help_text=_("SHA-256 of the file as supplied."))
    name = models.CharField(max_length=200)
    type = models.CharField(max_length=30)
    size = models.PositiveIntegerField(help_text=_("As supplied, in bytes."))
    pages = models.PositiveIntegerField(default=0)
    parts = models.JSONField(default=list, blank=True)
    notes = models.JSONField(default=list, blank=True)
    media = models.ManyToManyField(Media, related_name="attachments", blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(conversation__isnull=False, owner__isnull=True, visitor="")
                | Q(conversation__isnull=True, owner__isnull=False, visitor="")
                | Q(conversation__isnull=True, owner__isnull=True) & ~Q(visitor=""),
                name="history_attachment_one_holder",
            )
        ]
        indexes = [
            models.Index(
                fields=["created"],
                condition=Q(conversation__isnull=True),
                name="history_attachment_unsent",
            ),
            models.Index(fields=["visitor", "created"], name="history_attachment_visitor"),
        ]

    def __str__(self) -> str:
        """Leave out the file's name, because logs show this text."""
        return f"attachment {self.pk}"
