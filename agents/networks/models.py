"""A network, as an administrator makes it. Its agents are named by slug, as in files."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from simple_history.models import HistoricalRecords

from agents.saving import VersionCounted, check_processors


class Network(VersionCounted):
    """Its members answer one conversation in turns, the entry agent first. Every save is a version.

    A member need not be offered for conversations of its own.
    """

    slug = models.SlugField(unique=True, help_text="Its name in /chat?network=...")
    name = models.CharField(max_length=80)
    description = models.CharField(max_length=200, blank=True)
    entry = models.SlugField(help_text="The member that answers first.")
    members = models.JSONField(default=list, help_text="Agents that may hand over to each other.")
    processors = models.JSONField(default=list, blank=True)
    starters = models.TextField(blank=True, help_text="Suggested first messages, one a line.")
    enabled = models.BooleanField(default=True, help_text="Offered for new conversations.")

    versions = HistoricalRecords(excluded_fields=["changed"])

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        check_processors("network", self.processors)
        if faults := list(self.faults()):
            raise ValidationError({"members": faults})

    def faults(self) -> Iterator[str]:
        """Why its members cannot work together; an agent may be gone since they were chosen."""
        if not is_list_of_slugs(self.members):
            yield "Members must be a list of agents' slugs, each once."
            return
        known = set(_agents().values_list("slug", flat=True))
        if gone := [slug for slug in self.members if slug not in known]:
            yield f"No such agent: {', '.join(gone)}"
        if self.entry not in self.members:
            yield f"The entry agent, {self.entry or 'none'}, must be one of the members."


def is_list_of_slugs(value: object) -> bool:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return False
    return bool(value) and len(set(value)) == len(value)


def _agents() -> Any:
    """By name: templates stand in a module that imports this one."""
    return apps.get_model("agents", "AgentTemplate").objects
