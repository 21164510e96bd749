"""Apply settings that a what-if tried: they become the chat's own, and this can be undone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from history.models import Conversation
from history.services.access import Actor, access_conversation
from history.services.settings.layers import save_settings


@dataclass(frozen=True, slots=True)
class AppliedChanges:
    """The chat's own values now and before; a value that it did not have is None."""

    now: Mapping[str, Any]
    before: Mapping[str, Any]


def apply(actor: Actor, conversation: UUID, changes: Mapping[str, Any]) -> Conversation:
    """Change the chat's own settings, and keep what they replace. Raise as `save_settings` does."""
    with transaction.atomic():
        before = _own(access_conversation(actor, conversation, hold=True), changes)
        saved = save_settings(actor, conversation, changes)
        saved.applied_settings = {"now": _own(saved, changes), "before": before}
        saved.save(update_fields=["applied_settings"])
    return saved


def undo(actor: Actor, conversation: UUID, before: Mapping[str, Any]) -> None:
    """Give the chat its earlier values back. Raise as `save_settings` does."""
    with transaction.atomic():
        saved = save_settings(actor, conversation, before)
        saved.applied_settings = None
        saved.save(update_fields=["applied_settings"])


def applied_to(conversation: Conversation) -> AppliedChanges | None:
    """Return the settings that were applied last; None if one of them has been changed since."""
    if not (fields := conversation.applied_settings):
        return None
    applied = AppliedChanges(**fields)
    return applied if _own(conversation, applied.now) == applied.now else None


def _own(conversation: Conversation, names: Mapping[str, Any]) -> dict[str, Any]:
    return {name: conversation.history_settings.get(name) for name in names}
