"""From agents in files to saved templates: all or nothing, and only where something changes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction

from agents.files.difference import Change, changes
from agents.files.errors import FilesRefused
from agents.files.fields import defaults, values_of
from agents.files.reading import FiledAgent
from agents.models import AgentTemplate
from agents.preview import disagreements


class Outcome(StrEnum):
    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Imported:
    """An agent of a file beside what is stored. A new template is compared with an empty one."""

    filed: FiledAgent
    template: AgentTemplate
    outcome: Outcome
    changes: tuple[Change, ...]


def import_agents(agents: Sequence[FiledAgent], *, dry_run: bool = False) -> list[Imported]:
    """Save what differs, in one transaction. Raises `FilesRefused` before anything is saved."""
    with transaction.atomic():
        found = [_beside_stored(filed) for filed in agents]
        differing = [each for each in found if each.outcome is not Outcome.UNCHANGED]
        if faults := [fault for each in differing for fault in _faults(each)]:
            raise FilesRefused(faults)
        for each in () if dry_run else differing:
            each.template.save()
    return found


def _beside_stored(filed: FiledAgent) -> Imported:
    stored = AgentTemplate.objects.filter(slug=filed.slug).first()
    before = values_of(stored) if stored else defaults()
    template = stored or AgentTemplate()
    for name, value in filed.values.items():
        setattr(template, name, value)
    differing = changes(before, values_of(template))
    if stored is None:
        return Imported(filed, template, Outcome.CREATED, differing)
    return Imported(filed, template, Outcome.CHANGED if differing else Outcome.UNCHANGED, differing)


def _faults(imported: Imported) -> Iterator[str]:
    """The model's own checks, then what the admin's page refuses beyond them."""
    filed, template = imported.filed, imported.template
    try:
        template.full_clean()
    except ValidationError as error:
        for field, message in _messages(error.message_dict):
            yield filed.complaint(field, message)
        return
    for message in disagreements(template):
        yield filed.complaint("history_settings", message)


def _messages(by_field: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """What is said of the whole is said of the settings: the model says it of nothing else."""
    for field, messages in by_field.items():
        for message in messages:
            yield ("history_settings" if field == NON_FIELD_ERRORS else field), message
