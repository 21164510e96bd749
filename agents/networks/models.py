"""A network of agents, as an administrator makes it. As in files, slugs name its agents."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from agents.saving import VersionCounted, check_processors

NOBODY = _("Choose at least one agent.")


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
        if self.members and (faults := list(self.faults())):  # The field itself refuses no members.
            raise ValidationError({"members": faults})

    def faults(self) -> Iterator[str]:
        """Yield the reasons why the members cannot work together, such as a deleted member."""
        if fault := list_fault(self.members) or ("" if self.members else NOBODY):
            yield str(fault)
            return
        slugs = set(_agents().values_list("slug", flat=True))
        if gone := [slug for slug in self.members if slug not in slugs]:
            yield _("Unknown agents: {names}.").format(names=", ".join(gone))
        if self.entry not in self.members:
            sentence = _("The entry agent ({agent}) must be one of the members.")
            yield sentence.format(agent=self.entry or _("none"))


def list_fault(slugs: object) -> str:
    """Say why these are not agents, each listed once; empty if they are."""
    if not isinstance(slugs, list) or not all(isinstance(each, str) for each in slugs):
        return str(_("Must be a list of agents, each named by its slug."))
    return repeated(slugs)


def repeated(names: list[str]) -> str:
    """Say which names are listed more than once; empty if none is."""
    twice = sorted({name for name in names if names.count(name) > 1})
    return _("Listed more than once: {names}.").format(names=", ".join(twice)) if twice else ""


def _agents() -> Any:
    """Return the model of agents. It is found by name, because its module imports this one."""
    return apps.get_model("agents", "AgentTemplate").objects
