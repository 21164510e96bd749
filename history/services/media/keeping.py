"""Store media under their digests, and delete those that no attachment refers to any more.

A file is written before its row, under a name of the row's own. So a row always has its file, and
deleting one row never removes the file of another, which was made for the same bytes meanwhile. A
file without a row is recorded as a stray, so that it is deleted later if it can't be deleted at
once.
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hashlib import sha256

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from history.models import Attachment, Media, Stray
from history.models.media import address_of

logger = logging.getLogger(__name__)
STRAY_LIFE = timedelta(hours=1)  # No file takes as long as this to write.
AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class StoredFile:
    """An image or a file as it is stored; only an image has a width and a height."""

    data: bytes
    type: str
    width: int
    height: int

    @property
    def digest(self) -> str:
        return sha256(self.data).hexdigest()


def write(file: StoredFile) -> Media:
    """Write the file of a row that is not stored yet. Call this outside any transaction."""
    media = Media(
        digest=file.digest,
        type=file.type,
        size=len(file.data),
        width=file.width,
        height=file.height,
    )
    media.file.name = address_of(media, "")
    Stray.objects.create(file=media.file.name)
    default_storage.save(media.file.name, ContentFile(file.data))
    return media


@contextmanager
def writing(files: Iterable[StoredFile]) -> Iterator[list[Media]]:
    """Write files for the rows that the block stores in one transaction. If the block fails, the
    files are deleted. Call this outside any other transaction.
    """
    rows: list[Media] = []
    try:
        for file in {file.digest: file for file in files}.values():
            rows.append(write(file))  # noqa: PERF401 -- if one fails, those before it are deleted
        with transaction.atomic():
            yield rows
    except BaseException:
        discard(rows)
        raise


def store(rows: Sequence[Media]) -> list[Media]:
    """Store the rows. If the same bytes are stored already, lock and return the stored row instead,
    and delete the new file after the transaction.
    """
    return [_stored(media) for media in sorted(rows, key=lambda media: media.digest)]


def _stored(media: Media) -> Media:
    while True:
        row = Media.objects.select_for_update().filter(pk=media.digest).first()
        if row:
            transaction.on_commit(partial(_delete_if_possible, str(media.file.name)))
            return row
        try:
            with transaction.atomic():
                media.save(force_insert=True)
                Stray.objects.filter(pk=media.file.name).delete()
        except IntegrityError:  # Another process has just stored the same bytes.
            continue
        return media


def drop_file(name: str) -> None:
    """Delete a file that its row no longer needs, after the caller's transaction commits."""
    if name:
        Stray.objects.get_or_create(file=name)
        transaction.on_commit(partial(_delete_if_possible, name))


def discard(rows: Iterable[Media]) -> None:
    """Delete the files of rows that were not stored in the end."""
    for media in rows:
        _delete_if_possible(str(media.file.name))


def digests_of(attachments: Q) -> list[str]:
    """Return the digests of the media that these attachments have."""
    rows = Attachment.objects.filter(attachments, media__isnull=False)
    return list(rows.values_list("media", flat=True).distinct())


def drop_unheld(digests: Collection[str]) -> int:
    """Delete those of the media that no attachment has, in the caller's transaction, and their
    files after it. While an attachment is made, its media's rows are locked, so this waits until it
    is made.
    """
    rows = list(Media.objects.select_for_update().filter(pk__in=digests).order_by("pk"))
    held_digests = set(
        Media.objects.filter(pk__in=digests, attachments__isnull=False).values_list("pk", flat=True)
    )
    unheld = [row for row in rows if row.pk not in held_digests]
    names = [str(row.file.name) for row in unheld if row.file]
    Media.objects.filter(pk__in=[row.pk for row in unheld]).delete()
    Stray.objects.bulk_create([Stray(file=name) for name in names])
    for name in names:
        transaction.on_commit(partial(_delete_if_possible, name))
    return len(unheld)


def drop_orphans() -> None:
    """Delete all media that no attachment has, whatever the reason."""
    with transaction.atomic():
        drop_unheld(list(Media.objects.filter(attachments=None).values_list("pk", flat=True)))


def drop_strays() -> None:
    """Delete files that could not be deleted in time, or that never got a row."""
    old = Stray.objects.filter(created__lt=timezone.now() - STRAY_LIFE).order_by("created")
    for name in list(old.values_list("pk", flat=True)[:AT_ONCE]):
        _delete_if_possible(name)


def _delete_if_possible(name: str) -> None:
    try:
        default_storage.delete(name)
        Stray.objects.filter(pk=name).delete()
    except Exception as error:  # The disk or the bucket may raise any error.
        logger.warning("A file of media could not be deleted yet: %s", error)
