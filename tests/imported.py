"""Helpers that import files, and chats from the app's own export."""

from io import BytesIO
from threading import Event

from django.contrib.auth.models import User

from chatapp.imports import reading
from history.models import Conversation, Import, ImportState
from history.services.access import Actor
from history.services.exports.exporting import exported
from history.services.exports.form import as_json
from history.services.exports.reader import ExportReader
from history.services.imports import lifecycle
from history.services.imports.lifecycle import ImportRequest


def imported(data: bytes, actor: Actor) -> Import:
    supplied = ImportRequest(BytesIO(data), "export.json", len(data), str(hash(data)), "demo")
    job, _ = lifecycle.begin(actor, supplied)
    claimed = lifecycle.claim(job.pk, "here")
    assert claimed
    reading.run(claimed, Event())
    return Import.objects.get(pk=job.pk)


def copied(chat: Conversation, name: str = "bob") -> Conversation:
    """Export a chat, import the file for a new person, and return that person's copy."""
    data = b"".join(exported([chat], as_json(ExportReader())).pieces)
    owner = User.objects.create_user(name)
    job = imported(data, Actor(owner))
    assert (job.state, job.format) == (ImportState.DONE, "vitrine")
    return Conversation.objects.get(owner=owner)
