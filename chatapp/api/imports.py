"""API calls that import chats from a file, and report on the import."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import File, Form, Query, Router, Schema, Status, UploadedFile

from chatapp.api.generations import caller
from chatapp.imports.receiving import receive
from chatapp.imports.report import Report, ReportedEntry, report_of, sentence_of
from chatapp.imports.undoing import undo
from history.models import Import
from history.services.imports.lifecycle import access_import, imports_of, stop, sums_of

router = Router(tags=["imports"])
MOST = 50  # The most imports that one list contains.


class SkippedOut(Schema):
    """Something that was not imported; `where` is what the file calls it."""

    why: str
    where: str
    figures: dict[str, Any]
    sentence: str


class EntryOut(Schema):
    """What became of one chat of the file. `known`: it already existed here, as `conversation`."""

    number: int
    title: str
    outcome: Literal["stored", "known", "skipped"]
    conversation: UUID | None
    messages: int
    skipped: list[SkippedOut]


class ImportOut(Schema):
    """The import of a file. `percent` is how much of the file has been read. `stored`, `known` and
    `skipped` count its chats so far, and `messages` the stored messages. `fault` says why the
    import failed or waits.
    """

    id: UUID
    name: str
    size: int
    digest: str
    format: str
    agent: str
    state: Literal["waiting", "running", "done", "stopped", "failed"]
    percent: int
    stored: int
    known: int
    skipped: int
    messages: int
    fault: str | None
    created: datetime
    ended: datetime | None


class ImportReportOut(ImportOut):
    """An import with a page of its chats, in the file's order; pass `next` as `after` for more."""

    entries: list[EntryOut]
    next: int | None


class UndoneOut(Schema):
    """How many of an import's chats were deleted, and how many were kept."""

    deleted: int
    kept: int


class ImportsOut(Schema):
    imports: list[ImportOut]


@router.post("/imports", response={202: ImportOut})
def import_chats(
    request: HttpRequest,
    file: UploadedFile = File(...),  # noqa: B008 -- how ninja declares a parameter
    agent: str = Form(...),
    instructions: bool = Form(False),  # noqa: FBT001, FBT003 -- how ninja declares a parameter
    copies: bool = Form(False),  # noqa: FBT001, FBT003 -- how ninja declares a parameter
) -> Status[dict[str, Any]]:
    """Upload an export of Vitrine, ChatGPT, Claude, Open WebUI or LibreChat, or a transcript in
    OpenAI's format, as the field `file` of a multipart form. It is read in the background.

    `agent` will answer in the imported chats. System messages are shown but not sent, unless staff
    ask for that with `instructions`. A chat that is here already is left alone, unless `copies`
    is true.
    """
    actor = caller(request)
    job = receive(actor, request.FILES, agent, instructs=instructions, copies=copies)
    return Status(202, _record(report_of(job)))


@router.get("/imports", response=ImportsOut)
def list_imports(request: HttpRequest) -> dict[str, Any]:
    """List your imports, the newest first."""
    return {"imports": [_record(report_of(job)) for job in imports_of(caller(request))[:MOST]]}


@router.get("/imports/{import_id}", response=ImportReportOut)
def get_import(
    request: HttpRequest, import_id: UUID, after: int = Query(-1, ge=-1, lt=2**31)
) -> dict[str, Any]:
    """Return what has become of an import and of its chats so far."""
    report = report_of(access_import(caller(request), import_id), after)
    entries = [_entry(entry) for entry in report.entries]
    return {**_record(report), "entries": entries, "next": report.following}


@router.post("/imports/{import_id}/stop", response=ImportOut)
def stop_import(request: HttpRequest, import_id: UUID) -> dict[str, Any]:
    """Stop an import. The chats that were stored stay."""
    return _record(report_of(stop(caller(request), import_id)))


@router.post("/imports/{import_id}/undo", response=UndoneOut)
def undo_import(
    request: HttpRequest,
    import_id: UUID,
    continued: bool = Query(False),  # noqa: FBT001, FBT003 -- ninja's way to declare it
) -> dict[str, int]:
    """Stop an import and delete its chats, except those continued here, unless `continued` is true.
    For 30 seconds, the chats can be restored in the page's dialog.
    """
    actor = caller(request)
    deleted = undo(actor, import_id, continued=continued)
    sums = sums_of(access_import(actor, import_id))
    return {"deleted": deleted, "kept": sums.stored}


def _record(report: Report) -> dict[str, Any]:
    names = ("id", "name", "size", "digest", "format", "agent", "state", "percent")
    job: Import = report.job
    sums = {name: getattr(report.sums, name) for name in ("stored", "known", "skipped", "messages")}
    return {
        **{name: getattr(job, name) for name in (*names, "created", "ended")},
        **sums,
        "fault": report.fault or None,
    }


def _entry(entry: ReportedEntry) -> dict[str, Any]:
    row = entry.row
    return {
        **{name: getattr(row, name) for name in ("number", "title", "outcome", "messages")},
        "conversation": row.conversation_id,
        "skipped": [_skipped(fact) for fact in row.skipped],
    }


def _skipped(fact: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "why": fact["rule"],
        "where": fact.get("where", ""),
        "figures": fact.get("figures", {}),
        "sentence": sentence_of(fact),
    }
