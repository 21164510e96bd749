"""Text at the edge, and texts that are stored once."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from uuid import UUID

from django.conf import settings

from history.models import StoredText
from history.services.errors import Refused


def checked_text(text: str) -> str:
    """What a person wrote, as it is stored; refused where a database could not hold it."""
    if not text.strip():
        raise Refused("invalid", "The message is empty.")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise Refused("invalid", "The message holds half a character.") from error
    if "\x00" in text:
        raise Refused("invalid", "The message holds a NUL character.")
    if size > settings.MAX_MESSAGE_BYTES:
        raise Refused(
            "too_long",
            f"The message has {size:,} bytes; the most is {settings.MAX_MESSAGE_BYTES:,}.",
        )
    return text


def storable(text: str) -> str:
    """What a model or a tool wrote, with what no database holds made visible."""
    return text.replace("\x00", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()


def store_text(text: str) -> str:
    """Keep the text under its content's hash, and return the hash."""
    return store_texts({"": text})[""]


def store_texts(texts: Mapping[str, str], conversation: UUID | None = None) -> dict[str, str]:
    """Several at once, by name; returns their hashes by name.

    Those of a conversation are its own, whoever else has the same, so that they can go with it.
    """
    salt = f"{conversation}\n" if conversation else ""
    hashes = {
        name: hashlib.sha256((salt + text).encode()).hexdigest() for name, text in texts.items()
    }
    rows = {hashes[name]: text for name, text in texts.items()}
    _insert_missing(rows, conversation)
    return hashes


def _insert_missing(rows: Mapping[str, str], conversation: UUID | None) -> None:
    """By hash. Nearly always all are there, and a look is cheaper than to write in vain."""
    known = set(StoredText.objects.filter(pk__in=rows).values_list("pk", flat=True))
    StoredText.objects.bulk_create(
        [
            StoredText(hash=digest, text=text, conversation_id=conversation)
            for digest, text in rows.items()
            if digest not in known
        ],
        ignore_conflicts=True,
    )


@lru_cache(maxsize=256)
def stored_text(digest: str) -> str:
    """The text of a hash: it can never change, so it is read once."""
    return StoredText.objects.get(pk=digest).text
