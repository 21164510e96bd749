"""Receive the one file of a form, within the limits of the sender."""

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from chatapp.databases.threads import give_back
from chatapp.limits import limits
from chatapp.limits.shared_places import FILES
from chatapp.limits.spending import spend
from chatapp.uploads import sentences
from chatapp.uploads.names import clean_name
from chatapp.uploads.supplying import supply
from history.models import Attachment
from history.services.access import Actor
from history.services.errors import Refused


def receive(actor: Actor, whose: str, files: MultiValueDict[str, UploadedFile]) -> Attachment:
    """Look at a file and keep it for the actor's next message; it counts towards the limits of
    `whose`. Raise Refused.
    """
    file = _one_of(files)
    name, size = file.name or "", file.size or 0
    if size > settings.MAX_FILE_BYTES:
        raise Refused("too_large", sentences.too_large(clean_name(name), settings.MAX_FILE_BYTES))
    with FILES.held(whose):
        spend(
            (limits.files(), whose, 1),
            (limits.file_bytes(), whose, size),
            (limits.file_seconds(), whose, 0),
        )
        give_back()  # Hold no database connection while the file is read, which may take long.
        return supply(actor, whose, name, file.read())


def _one_of(files: MultiValueDict[str, UploadedFile]) -> UploadedFile:
    uploads = files.getlist("file")
    if len(uploads) != 1 or len(files) != 1:
        raise Refused("invalid", _("Attach one file at a time."))
    return uploads[0]
