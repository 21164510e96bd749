"""Keep pictures under their digests, and delete those that no attachment has any more.

A file is written before its row, under a name of the row's own. So a row always has its file, and
deleting one row never takes the file of another that was made for the same bytes meanwhile.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import Q

from history.models import Attachment, Media
from history.models.media import address_of


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture as it is kept."""

    data: bytes
    type: str
    width: int
    height: int

    @property
    def digest(self) -> str:
        return sha256(self.data).hexdigest()


def write(kept: Kept) -> Media:
    """Write the file of a row that is not stored yet. Call it outside any transaction."""
    media = Media(
        digest=kept.digest,
        type=kept.type,
        size=len(kept.data),
        width=kept.width,
        height=kept.height,
    )
    media.file.name = default_storage.save(address_of(media, ""), ContentFile(kept.data))
    return media


def store(written: Sequence[Media]) -> list[Media]:
    """Store the rows, or find those that are stored already and hold them until the end of the
    transaction. The files that are not needed then are deleted after it.
    """
    return [_stored(media) for media in sorted(written, key=lambda media: media.digest)]


def _stored(media: Media) -> Media:
    while True:
        found = Media.objects.select_for_update().filter(pk=media.digest).first()
        if found:
            transaction.on_commit(partial(_delete_file, media), robust=True)
            return found
        try:
            with transaction.atomic():
                media.save(force_insert=True)
        except IntegrityError:  # Somebody has just stored the same bytes.
            continue
        return media


def discard(written: Iterable[Media]) -> None:
    """Delete the files of rows that were not stored after all."""
    for media in written:
        _delete_file(media)


def digests_of(attachments: Q) -> list[str]:
    """Return the digests that these attachments hold."""
    held = Attachment.objects.filter(attachments, media__isnull=False)
    return list(held.values_list("media", flat=True).distinct())


def drop_unheld(digests: Collection[str]) -> int:
    """Delete those of the media that nothing holds, in the caller's transaction, and their files
    after it. An attachment that is being made holds its row, so this waits for it.
    """
    rows = list(Media.objects.select_for_update().filter(pk__in=digests).order_by("pk"))
    held = set(
        Media.objects.filter(pk__in=digests, attachments__isnull=False).values_list("pk", flat=True)
    )
    unheld = [row for row in rows if row.pk not in held]
    Media.objects.filter(pk__in=[row.pk for row in unheld]).delete()
    for row in unheld:
        transaction.on_commit(partial(_delete_file, row), robust=True)
    return len(unheld)


def drop_orphans() -> None:
    """Delete what nothing holds, however that came about."""
    with transaction.atomic():
        drop_unheld(list(Media.objects.filter(attachments=None).values_list("pk", flat=True)))


def _delete_file(media: Media) -> None:
    if media.file:
        default_storage.delete(str(media.file.name))
