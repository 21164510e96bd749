"""The stored providers and known models, held in memory for code that may not use the database.

The process that makes a change notices it at once; a server notices it within half a minute.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import SynchronousOnlyOperation
from django.db import DatabaseError, transaction
from django.db.models import Q
from django.db.models.signals import post_delete, post_save

from agents.providers.models import KnownModel, Provider

HAS_KEY = ~Q(encrypted_key="")


@dataclass(frozen=True, slots=True)
class Directory:
    """The stored providers and models: `protocols` by slug, `models` by name. The providers in
    `without_reasoning` get no reasoning back; those in `without_key` lack the key that they need.
    The `makers` made the protocols that they speak.
    """

    protocols: Mapping[str, str] = field(default_factory=dict)
    disabled: frozenset[str] = frozenset()
    models: Mapping[str, KnownModel] = field(default_factory=dict)
    without_reasoning: frozenset[str] = frozenset()
    without_key: frozenset[str] = frozenset()
    makers: frozenset[str] = frozenset()


_held: list[Directory] = []


def directory() -> Directory:
    """Return the directory. If it is not in memory yet, read it first; it is empty if the caller
    may not use the database.
    """
    if not _held:
        load()
    return _held[0] if _held else Directory()


def hold(providers: Directory) -> None:
    _held[:] = [providers]


def load() -> None:
    """Read the directory again. Do nothing if the tables do not exist yet, or in an event loop,
    which reading would block.
    """
    try:
        with transaction.atomic():
            rows = list(Provider.objects.defer("encrypted_key").annotate(has_key=HAS_KEY))
            models = {model.name: model for model in KnownModel.objects.all()}
    except (DatabaseError, SynchronousOnlyOperation):
        return
    protocols = {row.slug: row.protocol for row in rows}
    disabled = frozenset(row.slug for row in rows if not row.enabled)
    without_reasoning = frozenset(row.slug for row in rows if not row.reasoning_back)
    without_key = frozenset(row.slug for row in rows if row.needs_key and not row.has_key)
    makers = frozenset(row.slug for row in rows if row.needs_key)
    hold(Directory(protocols, disabled, models, without_reasoning, without_key, makers))


def follow_changes() -> None:
    """Load the directory again whenever a stored provider or known model has changed."""
    for model in (Provider, KnownModel):
        for signal in (post_save, post_delete):
            signal.connect(_changed, sender=model)


def _changed(**_: Any) -> None:
    transaction.on_commit(load)
