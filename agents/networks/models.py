"""A network of agents, as an administrator makes it. As in files, slugs name its agents."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from agents.saving import VersionCounted, check_processors


class Network(VersionCounted):
    """The agents that answer one conversation in turns, the entry agent first. Each save is a
    version.

    A member need not be offered for conversations of its own.
    """

    slug = models.SlugField(
        _("slug"), unique=True, help_text=_("Its name in the address, as in /chat?network=...")
    )
    name = models.CharField(_("name"), max_length=80)
    description = models.CharField(_("description"), max_length=200, blank=True)
    entry = models.SlugField(_("entry agent"), help_text=_("The member that answers first."))
    members = models.JSONField(
        _("members"), default=list, help_text=_("Agents that can hand over to each other.")
    )
    processors = models.JSONField(_("processors"), default=list, blank=True)
    starters = models.TextField(
        _("starters"), blank=True, help_text=_("Suggested first messages, one per line.")
    )
    enabled = models.BooleanField(
        _("enabled"), default=True, help_text=_("Available for new chats.")
    )

    versions = HistoricalRecords(excluded_fields=["changed"])

    class Meta:
        ordering = ["name"]
        verbose_name = _("network")
        verbose_name_plural = _("networks")

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        check_processors("network", self.processors)
        if faults := list(self.faults()):
            raise ValidationError({"members": faults})

    def faults(self) -> Iterator[str]:
        """Yield the reasons why the members cannot work together, such as a deleted member."""
        if not is_list_of_slugs(self.members):
            yield str(_("Must be a list of agent slugs without duplicates."))
            return
        slugs = set(_agents().values_list("slug", flat=True))
        if gone := [slug for slug in self.members if slug not in slugs]:
            yield _("Unknown agents: {names}.").format(names=", ".join(gone))
        if self.entry not in self.members:
            sentence = _("The entry agent ({agent}) must be one of the members.")
            yield sentence.format(agent=self.entry or _("none"))


def is_list_of_slugs(value: object) -> bool:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return False
    return bool(value) and len(set(value)) == len(value)


def _agents() -> Any:
    """Return the model of agents. It is found by name, because its module imports this one."""
    return apps.get_model("agents", "AgentTemplate").objects
