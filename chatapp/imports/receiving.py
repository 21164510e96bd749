"""Receive the file of an import, within the sender's limits."""

from hashlib import file_digest
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from chatapp.databases.threads import give_back
from chatapp.imports import background
from chatapp.limits import limits
from chatapp.limits.limits import spoken_size
from chatapp.limits.spending import spend
from chatapp.uploads.names import clean_name
from history.models import Import
from history.services.access import Actor
from history.services.errors import NotFound, Refused
from history.services.imports.lifecycle import ImportRequest, begin


def receive(
    actor: Actor,
    files: MultiValueDict[str, UploadedFile],
    agent: str,
    *,
    instructs: bool = False,
    copies: bool = False,
) -> Import:
    """Store the file, count it towards the actor's limits, and begin to read it. Raise
    `Refused`.
    """
    if not settings.IMPORTS:
        raise NotFound("imports")
    if instructs and not actor.is_staff:
        sentence = _("Only staff can send a file's system messages to the model.")
        raise Refused("not_allowed", sentence)
    file = _one_of(files)
    name, size = clean_name(file.name or ""), file.size or 0
    if not size:
        raise Refused("empty", _("{name} is empty. Export the chats again.").format(name=name))
    if size > settings.MAX_IMPORT_BYTES:
        sentence = _("{name} is larger than {most}. Import its parts one by one.")
        most = spoken_size(settings.MAX_IMPORT_BYTES)
        raise Refused("too_large", sentence.format(name=name, most=most))
    spend((limits.files(), actor.person, 1))
    # Don't hold a database connection during the upload, which may take long.
    give_back()
    opened: Any = file.file
    opened.seek(0)
    digest = file_digest(opened, "sha256").hexdigest()
    supply = ImportRequest(opened, name, size, digest, agent, instructs=instructs, copies=copies)
    row, _is_new = begin(actor, supply)
    background.begin(row.pk, actor.person)
    return row


def _one_of(files: MultiValueDict[str, UploadedFile]) -> UploadedFile:
    uploads = files.getlist("file")
    if len(uploads) != 1 or len(files) != 1:
        raise Refused("invalid", _("Import one file at a time."))
    return uploads[0]
