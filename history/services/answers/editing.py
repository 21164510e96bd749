"""Edit a message: another text, other files. An edit is one transaction, and nothing is
overwritten.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction

from history.core.transcript.parts import attached, supplied_files
from history.models import Message
from history.services.access import Actor, access_conversation
from history.services.answers.commands import Edit
from history.services.answers.conversation import retitle
from history.services.answers.preconditions import on_path, refuse_unless_free
from history.services.answers.queueing import (
    Ack,
    Admit,
    Parts,
    admit_all,
    branch_of,
    earlier_ack,
    fork,
    queue,
    with_parts,
)
from history.services.errors import NotFound
from history.services.media.attaching import lock_attachments, parts_of
from history.services.path.appending import user_message
from history.services.texts import checked_text


@dataclass(frozen=True, slots=True)
class _Kept:
    """The parts that an edited message keeps, and the number of files to which they belong."""

    parts: Parts
    files: int


def edit(actor: Actor, command: Edit, admit: Admit = admit_all) -> Ack:
    """Reword a message, on a branch that leaves the path just before this message.

    The new message keeps the files that the command doesn't remove, and gets the new files after
    them.
    """
    new = user_message(checked_text(command.text, may_be_empty=True), command.client_msg_id)
    with transaction.atomic():
        conversation = access_conversation(actor, command.conversation, hold=True)
        if earlier := earlier_ack(conversation, new, command.attachments):
            return earlier
        refuse_unless_free(conversation)
        branch = branch_of(conversation)
        message = on_path(branch, command.message)
        rest = _kept(message, command.without)
        files = lock_attachments(actor, command.attachments, beside=rest.files)
        new = with_parts(new, (*rest.parts, *parts_of(files)))
        checked_text(new.text, may_be_empty=bool(attached(new.parts)))
        admit(new.size)
        if message.turn == 1:
            retitle(conversation, new.text, new.parts)
        forked = fork(conversation, branch, message.position - 1)
        return queue(actor, conversation, forked, command.query, new, files=files)


def _kept(message: Message, without: Collection[int]) -> _Kept:
    """Keep all parts of the message except those of files with a part whose number is in `without`.
    Raise NotFound if a number is not that of a file's part.
    """
    parts = message.as_core().parts
    files = supplied_files(parts)
    if not set(without) <= {number for file in files for number in file}:
        raise NotFound("file")
    left_out = [file for file in files if not file.keys().isdisjoint(without)]
    gone = {number for file in left_out for number in file}
    kept_parts = tuple(part for number, part in enumerate(parts) if number not in gone)
    return _Kept(kept_parts, len(files) - len(left_out))
