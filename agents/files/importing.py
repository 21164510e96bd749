"""Save agents and networks from files: all or nothing, and only what changes, field by field."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from enum import StrEnum
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction

from agents.effective import disagreeing
from agents.files.fields import Row, values_of
from agents.files.reading import FiledAgent, FilesRefused
from agents.models import AgentTemplate
from history.core.words.wording import printable
from history.wording.deciding.contradictions import sentence_of

NOT_SET = "not set"
LONGEST = 200  # The most characters in a line about a change.


class ImportOutcome(StrEnum):
    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A change of a field. A single history setting counts as a field, called for example
    `history_settings.length`. None means that the field is not set.
    """

    field: str
    before: Any
    after: Any

    def lines(self) -> Iterator[str]:
        """Yield one line for a short change; for longer texts, the lines that differ."""
        if not self._is_long:
            yield f"{self.field}: {_shown(self.before)} -> {_shown(self.after)}"
            return
        yield f"{self.field}:"
        before, after = (str(text or "").split("\n") for text in (self.before, self.after))
        for line in list(unified_diff(before, after, lineterm="", n=1))[2:]:
            yield f"  {printable(line, LONGEST)}"

    @property
    def _is_long(self) -> bool:
        texts = [text for text in (self.before, self.after) if isinstance(text, str)]
        return any("\n" in text for text in texts)


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """An agent or a network in a file, and how it differs from the stored one or, if it is new,
    from an empty one.
    """

    filed: FiledAgent
    row: Row
    outcome: ImportOutcome
    changes: tuple[FieldChange, ...]


def import_agents(agents: Sequence[FiledAgent], *, dry_run: bool = False) -> list[ImportedRow]:
    """Save what differs, in one transaction. Raise `FilesRefused` if anything is refused.

    Agents are saved first, since a network is checked against existing ones. Agents may name each
    other in any order.
    """
    ordered = sorted(agents, key=lambda filed: filed.model is not AgentTemplate)
    with transaction.atomic():
        imported_rows = [_beside_stored(filed) for filed in ordered]
        _introduce([each.row for each in imported_rows if isinstance(each.row, AgentTemplate)])
        if faults := [fault for each in imported_rows for fault in _saved(each)]:
            raise FilesRefused(faults)
        transaction.set_rollback(dry_run)
    return imported_rows


def _introduce(agents: Sequence[AgentTemplate]) -> None:
    """Let agents delegate to new ones of the same import: either all are saved, or none."""
    arriving = frozenset(agent.slug for agent in agents)
    for agent in agents:
        agent.arriving = arriving


def _beside_stored(filed: FiledAgent) -> ImportedRow:
    stored_row = filed.model._default_manager.filter(slug=filed.slug).first()
    row = stored_row or filed.model()
    before = values_of(row)
    for name, value in filed.values.items():
        setattr(row, name, value)
    differing = tuple(changes(before, values_of(row)))
    if stored_row is None:
        return ImportedRow(filed, row, ImportOutcome.CREATED, differing)
    return ImportedRow(
        filed, row, ImportOutcome.CHANGED if differing else ImportOutcome.UNCHANGED, differing
    )


def _saved(imported: ImportedRow) -> list[str]:
    """Save the row if it differs from the stored one and has no faults; return its faults."""
    if imported.outcome is ImportOutcome.UNCHANGED:
        return []
    faults = list(_faults(imported))
    if not faults:
        imported.row.save()
    return faults


def _faults(imported: ImportedRow) -> Iterator[str]:
    """Yield the model's own errors, then those that the admin's page would find."""
    filed, row = imported.filed, imported.row
    try:
        row.full_clean()
    except ValidationError as error:
        for field, message in _messages(error.message_dict):
            yield filed.complaint(field, message)
        return
    for contradiction in disagreeing(row) if isinstance(row, AgentTemplate) else ():
        names = ", ".join(contradiction.settings)  # Files use the settings' names, not labels.
        yield filed.complaint("history_settings", f"{names}: {sentence_of(contradiction)}")


def _messages(by_field: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """Yield each message with its field. Errors without a field are always about settings."""
    for field, messages in by_field.items():
        for message in messages:
            yield ("history_settings" if field == NON_FIELD_ERRORS else field), message


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[FieldChange]:
    """Yield the fields whose values differ between two rows, which have the same fields."""
    for name, new in after.items():
        old = before[name]
        if isinstance(new, dict):
            yield from _inner(name, old, new)
        elif old != new:
            yield FieldChange(name, old, new)


def _inner(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[FieldChange]:
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key) or (key in old) != (key in new):
            yield FieldChange(f"{name}.{key}", old.get(key), new.get(key))


def _shown(value: Any) -> str:
    return NOT_SET if value is None else printable(json.dumps(value, ensure_ascii=False), LONGEST)
