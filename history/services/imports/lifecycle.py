"""How an import lives on when a process that reads it ends. Only one process at a time claims an
import, and only that process may write for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, BinaryIO
from uuid import UUID, uuid4

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.models import AgentTemplate
from history.models import UNFINISHED, Import, ImportEntry, ImportState, Stray
from history.models.imports import address_of
from history.services.access import Actor
from history.services.errors import Conflict, NotFound
from history.services.imports.chats import Skipped
from history.services.media.keeping import drop_file

# How long the process that claimed an import may be silent before it counts as gone.
SILENCE = timedelta(seconds=90)
AT_ONCE = 5  # The most unfinished imports that a person may have.


class Gone(Exception):
    """The import was stopped or deleted, or another process has claimed it since."""


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """A file as a person supplied it. `instructs`: its system messages are to be sent; `copies`:
    chats that are here already are to be imported again.
    """

    file: BinaryIO
    name: str
    size: int
    digest: str
    agent: str
    instructs: bool = False
    copies: bool = False

    @property
    def choices(self) -> dict[str, str | bool]:
        """How the file is to be read, by the names of the import's fields."""
        return {"agent": self.agent, "instructs": self.instructs, "copies": self.copies}


def begin(actor: Actor, file: ImportRequest) -> tuple[Import, bool]:
    """Store the file, which is then read in the background. Return the import, and whether it is
    new: a file is not read twice at the same time in the same way. Raise NotFound and Conflict.
    """
    if actor.is_nobody:
        raise NotFound
    if not AgentTemplate.objects.filter(slug=file.agent, enabled=True).exists():
        raise NotFound("agent")
    open_ones = imports_of(actor).filter(state__in=UNFINISHED)
    if same := open_ones.filter(digest=file.digest, **file.choices).first():
        return same, False
    if open_ones.count() >= AT_ONCE:
        raise Conflict("too_many", _("Wait until your other imports have ended."))
    return _kept(actor, file), True


def _kept(actor: Actor, file: ImportRequest) -> Import:
    row = Import(
        id=uuid4(),
        **actor.ownership,
        name=file.name,
        size=file.size,
        digest=file.digest,
        **file.choices,
    )
    name = address_of(row, "")
    Stray.objects.create(file=name)
    file.file.seek(0)
    row.file.name = default_storage.save(name, File(file.file))
    with transaction.atomic():
        row.save(force_insert=True)
        Stray.objects.filter(pk=name).delete()
    return row


def imports_of(actor: Actor) -> QuerySet[Import]:
    """Return the imports that belong to the actor, the newest first."""
    if actor.is_nobody:
        return Import.objects.none()
    return Import.objects.filter(**actor.ownership).order_by("-created", "-pk")


def access_import(actor: Actor, import_id: UUID) -> Import:
    """Return an import that belongs to the actor. Raise NotFound for any other."""
    row = imports_of(actor).filter(pk=import_id).first()
    if row is None:
        raise NotFound("import")
    return row


def unclaimed(worker: str) -> list[UUID]:
    """Return unfinished imports that this process has claimed, or that no process reads and no
    limit delays, the oldest first.
    """
    silent = Q(alive__isnull=True) | Q(alive__lt=timezone.now() - SILENCE)
    rows = Import.objects.filter(state__in=UNFINISHED).filter(silent | Q(worker=worker))
    return list(rows.order_by("created").values_list("pk", flat=True))


def take_over() -> None:
    """Release what earlier processes claimed. The caller must be the database's only process."""
    Import.objects.filter(state__in=UNFINISHED).update(worker="", alive=None)


def claim(import_id: UUID, worker: str) -> Import | None:
    """Claim the import for a process, even if it waits; only one of several callers gets it."""
    now = timezone.now()
    free = Q(worker__in=["", worker]) | Q(alive__isnull=True) | Q(alive__lt=now - SILENCE)
    rows = Import.objects.filter(free, pk=import_id, state__in=UNFINISHED)
    count = rows.update(worker=worker, alive=now, state=ImportState.RUNNING, fault={})
    return Import.objects.get(pk=import_id) if count else None


def hold(job: Import, number: int, percent: int) -> None:
    """Record that a chat is done, in the transaction that stores the chat, and lock the import
    until that transaction ends. Raise Gone if the import no longer belongs to this process.
    """
    keep(job, reached=number + 1, percent=percent)
    renew(job)


def keep(job: Import, **changed: int) -> None:
    """Record that the import is being read. Raise Gone if this process no longer holds it."""
    mine = Import.objects.filter(pk=job.pk, worker=job.worker, state=ImportState.RUNNING)
    if not mine.update(alive=timezone.now(), **changed):
        raise Gone


def hold_all(job: Import) -> None:
    """Lock all unfinished imports of the same owner, always in the same order. If two of them bring
    the same chat at once, the second finds the chat that the first has stored.
    """
    mine = imports_of(Actor(job.owner, job.visitor)).filter(state__in=UNFINISHED)
    list(mine.select_for_update().order_by("pk").values_list("pk"))


def renew(job: Import) -> None:
    """Load the import's owner again, because a visitor may have signed in meanwhile. Raise Gone."""
    try:
        job.refresh_from_db(fields=["owner", "visitor"])
    except Import.DoesNotExist as error:
        raise Gone from error


def recognised(job: Import, format_: str) -> None:
    Import.objects.filter(pk=job.pk).update(format=format_)
    job.format = format_


def note_skipped(job: Import, number: int, skipped: Skipped, percent: int) -> None:
    """Store the reason why a chat of the file was not imported."""
    with transaction.atomic():
        hold(job, number, percent)
        ImportEntry.objects.create(
            job=job,
            number=number,
            outcome=ImportEntry.Outcome.SKIPPED,
            title=skipped.where[:200],
            skipped=[skipped.as_dict()],
        )


def wait(job: Import, seconds: int) -> None:
    """Release the import because a limit was reached; `unclaimed` lists it after these seconds."""
    mine = Import.objects.filter(pk=job.pk, worker=job.worker, state=ImportState.RUNNING)
    until = timezone.now() + timedelta(seconds=seconds)
    fault = {"rule": "limit", "seconds": seconds}
    mine.update(state=ImportState.WAITING, worker="", alive=until - SILENCE, fault=fault)


def waits_for(job: Import) -> int:
    """Return in how many seconds the import goes on."""
    left = job.alive + SILENCE - timezone.now() if job.alive else timedelta()
    return max(1, ceil(left.total_seconds()))


def release(job: Import) -> None:
    """Release the import to other processes, because this process ends."""
    Import.objects.filter(pk=job.pk, worker=job.worker).update(worker="", alive=None)


def end(job: Import, state: ImportState, fault: Mapping[str, Any] | None = None) -> bool:
    """End the import, and delete its file. Return False if the import had ended already."""
    with transaction.atomic():
        rows = Import.objects.select_for_update().filter(pk=job.pk, state__in=UNFINISHED)
        row = rows.first()
        if row is None:
            return False
        drop_file(str(row.file.name))
        row.file, row.state, row.fault = "", state, dict(fault or {})
        row.worker, row.ended = "", timezone.now()
        row.percent = 100 if state == ImportState.DONE else row.percent
        row.save()
    return True


def stop(actor: Actor, import_id: UUID) -> Import:
    """Stop the import; the chats that it has stored remain. Raise NotFound."""
    job = access_import(actor, import_id)
    end(job, ImportState.STOPPED)
    return access_import(actor, import_id)


@dataclass(frozen=True, slots=True)
class Sums:
    stored: int
    known: int
    skipped: int
    messages: int

    @property
    def chats(self) -> int:
        return self.stored + self.known + self.skipped


def entries_of(job: Import) -> QuerySet[ImportEntry]:
    """Return the import's entries in the order of the file, except those of deleted chats."""
    return job.entries.filter(conversation__deleted_at=None).order_by("number")


def sums_of(job: Import) -> Sums:
    """Count the import's chats by what became of them, except deleted ones."""
    outcome = ImportEntry.Outcome
    is_stored = Q(outcome=outcome.STORED)
    sums = (
        entries_of(job)
        .order_by()
        .aggregate(
            stored=Count("pk", filter=is_stored),
            known=Count("pk", filter=Q(outcome=outcome.KNOWN)),
            skipped=Count("pk", filter=Q(outcome=outcome.SKIPPED)),
            messages=Sum("messages", filter=is_stored),
        )
    )
    return Sums(**{**sums, "messages": sums["messages"] or 0})
