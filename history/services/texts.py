"""Check texts when they arrive, and store each text only once."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import AfterValidator

from history.core.words.storable import storing_fault
from history.models import StoredText
from history.services.errors import Refused
from history.services.prepared import field, prepared

LONGEST_TITLE = 200
NOTHING: Mapping[str, str] = {}


def _storable(text: str) -> str:
    if storing_fault(text):
        raise ValueError(_("contains an invalid character"))
    return text


Storable = Annotated[str, AfterValidator(_storable)]
FIELD_FAULTS: Mapping[str, Any] = {
    "missing": gettext_lazy("is missing"),
    "extra_forbidden": gettext_lazy("isn't allowed"),
    "string_too_long": gettext_lazy("is longer than {max_length} characters"),
    "value_error": "{error}",
}


def field_fault(error: Mapping[str, Any]) -> str:
    """Put a pydantic error into words, without the value, which may be huge, or not even JSON."""
    text = FIELD_FAULTS.get(error["type"], gettext_lazy("is invalid ({type})"))
    return str(text.format(type=error["type"], **error.get("ctx", {})))


def checked_text(text: str, *, may_be_empty: bool = False) -> str:
    """Return a person's text as it is stored. Refuse one that is empty, too long or unstorable."""
    if not text.strip() and not may_be_empty:
        raise Refused("invalid", _("The message is empty."))
    if storing_fault(text):
        raise Refused("invalid", _("The message contains an invalid character."))
    size, most = len(text.encode()), settings.MAX_MESSAGE_BYTES
    if size > most:
        sentence = _("The message is too long ({size} bytes; the limit is {most}).")
        raise Refused("too_long", sentence.format(size=f"{size:,}", most=f"{most:,}"))
    return text


def checked_title(title: str) -> str:
    """Return a chat's title without spaces around it. Raise if it cannot be stored."""
    title = title.strip()
    if not title or len(title) > LONGEST_TITLE:
        raise Refused(
            "invalid", _("Enter a title of 1 to {most} characters.").format(most=LONGEST_TITLE)
        )
    if storing_fault(title):
        raise Refused("invalid", _("The title contains an invalid character."))
    return title


def store_text(text: str) -> str:
    """Store the text under the hash of its content, and return the hash."""
    return store_texts({"": text})[""]


def store_texts(
    shared: Mapping[str, str], own: Mapping[str, str] = NOTHING, conversation: UUID | None = None
) -> dict[str, str]:
    """Store several texts, given by name, and return their hashes by name.

    Texts that belong to a conversation are stored separately for it, so that they are deleted with
    it.
    """
    rows = {name: StoredText(hash=_hash(text), text=text) for name, text in shared.items()}
    for name, text in own.items():
        digest = _hash(f"{conversation}\n{text}")
        rows[name] = StoredText(hash=digest, text=text, conversation_id=conversation)
    _insert_missing({row.hash: row for row in rows.values()})
    return {name: row.hash for name, row in rows.items()}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _insert_missing(rows: Mapping[str, StoredText]) -> None:
    """Insert missing texts. Usually all are there, and looking is cheaper than writing in vain."""
    if len(rows) == 1:
        digests = kept_as(digest=next(iter(rows)))
    else:
        digests = list(StoredText.objects.filter(pk__in=rows).values_list("pk", flat=True))
    if missing := [row for digest, row in rows.items() if digest not in digests]:
        StoredText.objects.bulk_create(missing, ignore_conflicts=True)


@prepared(digest=field(StoredText, "hash"))
def kept_as(digest: Any) -> QuerySet[StoredText, str]:
    return StoredText.objects.filter(pk=digest).values_list("pk", flat=True)


@lru_cache(maxsize=256)
def stored_text(digest: str) -> str:
    """Return the text with this hash. It never changes, so it is read only once."""
    return StoredText.objects.get(pk=digest).text
