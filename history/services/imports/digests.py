"""Recognise a chat by its content, whatever file contains it. Pure functions."""

import json
from hashlib import sha256
from typing import TypeGuard

from history.core.transcript.parts import Reasoning
from history.services.imports.chats import ImportedChat, ImportedFile, ImportedMessage


def digest_of(chat: ImportedChat) -> str:
    """Return a SHA-256 of all that a chat's messages say, in order."""
    whole = sha256()
    for message in chat.messages:
        whole.update(json.dumps(_said(message)).encode())
    return whole.hexdigest()


def _said(message: ImportedMessage) -> list[object]:
    calls = [[call.name, call.arguments] for call in message.calls]
    names = [_named(part) for part in message.parts if _is_there(part)]
    return [message.id, message.parent, message.role, message.text, calls, names]


def _is_there(part: Reasoning | ImportedFile) -> TypeGuard[ImportedFile]:
    return isinstance(part, ImportedFile) and part.is_there


def _named(file: ImportedFile) -> str:
    return file.member or sha256(file.data or b"").hexdigest()
