"""Record changes to accounts in the administration's log: who made them, when, and what changed.

The administration itself records the changes made there. This module adds those made elsewhere, and
which roles an account gained or lost.
"""

from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.http import HttpRequest
from simple_history.models import HistoricalRecords

STATES = {"is_active": "active", "is_staff": "staff status", "is_superuser": "superuser status"}


def record(subject: User, sentence: str, actor: Any = None) -> None:
    """Record a change. If nobody is signed in, the account itself counts as the author."""
    rows = User.objects.filter(pk=subject.pk)
    who = actor if isinstance(actor, User) else subject
    LogEntry.objects.log_actions(who.pk, rows, CHANGE, sentence)


def roles(user: User) -> set[str]:
    """Return the account's states, groups and permissions, each in words."""
    states = {words for field, words in STATES.items() if getattr(user, field)}
    groups = {f"group {group.name}" for group in user.groups.all()}
    permissions = user.user_permissions.values_list("content_type__app_label", "codename")
    return states | groups | {f"permission {app}.{name}" for app, name in permissions}


def changed_roles(before: set[str], after: set[str]) -> str:
    """Return a sentence on the roles that changed; it is empty if none did."""
    parts = {"Gained": after - before, "Lost": before - after}
    return " ".join(f"{word}: {', '.join(sorted(of))}." for word, of in parts.items() if of)


def saved(instance: User, *, created: bool, **kwargs: Any) -> None:
    """Record a new account, or a new password, unless the administration made the change."""
    request: HttpRequest | None = getattr(HistoricalRecords.context, "request", None)
    if kwargs.get("raw") or (request and request.path.startswith("/admin/")):
        return
    if created:
        place = "" if request else " on the command line"
        record(instance, f"Made{place}: {', '.join(sorted(roles(instance)))}.")
    # Django sets this attribute only if the password was changed just now.
    elif getattr(instance, "_password", None) is not None:
        record(instance, _how(request, instance), request and request.user)


def _how(request: HttpRequest | None, user: User) -> str:
    if request is None:
        return "Changed the password on the command line."
    if request.user == user:
        return "Changed the password."
    return "Set the password through a reset link."
