"""Delete media with the last chat that has them, no matter who deletes that chat, and how."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.db.models.signals import post_delete, pre_delete

from history.models import Conversation, Import
from history.services.media.keeping import digests_of, drop_file, drop_unheld


def connect() -> None:
    pre_delete.connect(note_media, sender=Conversation)
    post_delete.connect(drop_media, sender=Conversation)
    pre_delete.connect(note_unsent, sender=User)
    post_delete.connect(drop_media, sender=User)
    post_delete.connect(drop_supplied, sender=Import)


def note_media(instance: Conversation, **_: Any) -> None:
    """Note the chat's media before the chat is deleted, because later they cannot be found."""
    instance.noted_media = digests_of(Q(conversation=instance))  # type: ignore[attr-defined]  # we set it


def note_unsent(instance: User, **_: Any) -> None:
    instance.noted_media = digests_of(Q(owner=instance))  # type: ignore[attr-defined]  # we set it


def drop_supplied(instance: Import, **_: Any) -> None:
    """Delete the supplied file of an import that had not ended."""
    with transaction.atomic():
        drop_file(str(instance.file.name or ""))


def drop_media(instance: Any, **_: Any) -> None:
    with transaction.atomic():
        drop_unheld(instance.noted_media)
