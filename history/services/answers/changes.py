"""The prepared updates of every turn: to a generation as it goes on, and to its conversation."""

from typing import Any

from django.db.models.functions import Coalesce

from history.models import OPEN, Conversation, Generation, GenerationStatus
from history.services.prepared import field
from history.services.updating import Change, prepared_update


@prepared_update(
    pk=field(Conversation, "id"),
    branch=field(Conversation, "branch"),
    model=field(Conversation, "model"),
    archived=field(Conversation, "archived_at"),
    now=field(Conversation, "active"),
)
def note_message(pk: Any, branch: Any, model: Any, archived: Any, now: Any) -> Change:
    values = {"branch": branch, "model": model, "archived_at": archived, "active": now}
    return Change(Conversation.objects.filter(pk=pk), values)


@prepared_update(
    pk=field(Generation, "id"),
    owner=field(Generation, "owner"),
    now=field(Generation, "heartbeat_at"),
)
def begin_queued(pk: Any, owner: Any, now: Any) -> Change:
    running = {"status": GenerationStatus.RUNNING, "owner": owner, "heartbeat_at": now}
    rows = Generation.objects.filter(pk=pk, status=GenerationStatus.QUEUED)
    return Change(rows, {**running, "started": Coalesce("started", now)})


END = {name: field(Generation, name) for name in ("status", "error", "ended")}


@prepared_update(pk=field(Generation, "id"), **END)
def end_open(pk: Any, **end: Any) -> Change:
    return Change(Generation.objects.filter(pk=pk, status__in=OPEN), end)


@prepared_update(pk=field(Generation, "id"), owner=field(Generation, "owner"), **END)
def end_owned(pk: Any, owner: Any, **end: Any) -> Change:
    return Change(Generation.objects.filter(pk=pk, owner=owner, status__in=OPEN), end)


@prepared_update(pk=field(Generation, "id"), seq=field(Generation, "seq"))
def note_logged(pk: Any, seq: Any) -> Change:
    return Change(Generation.objects.filter(pk=pk), {"seq": seq})


@prepared_update(pk=field(Conversation, "id"))
def note_new_answer(pk: Any) -> Change:
    return Change(Conversation.objects.filter(pk=pk), {"has_new_answer": True})
