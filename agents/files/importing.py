"""Save agents and networks from files: all or nothing, and only what changes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction

from agents.effective import disagreements
from agents.files.difference import FieldChange, changes
from agents.files.fields import Row, values_of
from agents.files.reading import FiledAgent, FilesRefused
from agents.models import AgentTemplate


class ImportOutcome(StrEnum):
    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """An agent or a network in a file, and what is stored. A new one is compared with an empty
    one.
    """

    filed: FiledAgent
    row: Row
    outcome: ImportOutcome
    changes: tuple[FieldChange, ...]


def import_agents(agents: Sequence[FiledAgent], *, dry_run: bool = False) -> list[ImportedRow]:
    """Save what differs, in one transaction. Raise `FilesRefused`, and then save nothing.

    Agents are saved first, since a network is checked against existing ones; they may name each
    other in any order.
    """
    ordered = sorted(agents, key=lambda filed: filed.model is not AgentTemplate)
    with transaction.atomic():
        found = [_beside_stored(filed) for filed in ordered]
        _introduce([each.row for each in found if isinstance(each.row, AgentTemplate)])
        if faults := [fault for each in found for fault in _saved(each)]:
            raise FilesRefused(faults)
        transaction.set_rollback(dry_run)
    return found


def _introduce(agents: Sequence[AgentTemplate]) -> None:
    """Tell agents about each other. A refused one cancels the import, so none is asked in vain."""
    arriving = frozenset(agent.slug for agent in agents)
    for agent in agents:
        agent.arriving = arriving


def _beside_stored(filed: FiledAgent) -> ImportedRow:
    stored = filed.model._default_manager.filter(slug=filed.slug).first()
    row = stored or filed.model()
    before = values_of(row)
    for name, value in filed.values.items():
        setattr(row, name, value)
    differing = changes(before, values_of(row))
    if stored is None:
        return ImportedRow(filed, row, ImportOutcome.CREATED, differing)
    return ImportedRow(
        filed, row, ImportOutcome.CHANGED if differing else ImportOutcome.UNCHANGED, differing
    )


def _saved(imported: ImportedRow) -> list[str]:
    """Return what is wrong with it; save it if nothing is, and it differs."""
    if imported.outcome is ImportOutcome.UNCHANGED:
        return []
    faults = list(_faults(imported))
    if not faults:
        imported.row.save()
    return faults


def _faults(imported: ImportedRow) -> Iterator[str]:
    """Yield the model's own errors, then those that the admin's page adds."""
    filed, row = imported.filed, imported.row
    try:
        row.full_clean()
    except ValidationError as error:
        for field, message in _messages(error.message_dict):
            yield filed.complaint(field, message)
        return
    for message in disagreements(row) if isinstance(row, AgentTemplate) else ():
        yield filed.complaint("history_settings", message)


def _messages(by_field: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """Word errors. One about the whole is about the settings: the model has no other."""
    for field, messages in by_field.items():
        for message in messages:
            yield ("history_settings" if field == NON_FIELD_ERRORS else field), message
