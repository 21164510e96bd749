"""A request's settings, with a way to change each."""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from django.urls import reverse

from agents.effective import contradictions
from agents.models import AgentTemplate
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.services.access import Actor
from history.wording.settings import SettingRow, in_groups, invalid_sentences, setting_rows

SettingGroups: TypeAlias = list[tuple[str, list[tuple[SettingRow, str]]]]


@dataclass(frozen=True)
class Cascade:
    """The settings, each with the address where staff may change it; empty for others.

    `template` is None if it was deleted.
    """

    resolved: Settings
    template: AgentTemplate | None
    actor: Actor

    @cached_property
    def rows(self) -> list[tuple[SettingRow, str]]:
        places = self._places() if self.actor.is_staff else {}
        return [(row, places.get(row.layer, "")) for row in setting_rows(self.resolved)]

    @property
    def chosen(self) -> SettingGroups:
        """Settings that somebody set, or tried to set."""
        return self._groups(is_default=False)

    @property
    def built_in(self) -> SettingGroups:
        return self._groups(is_default=True)

    @property
    def invalid(self) -> tuple[str, ...]:
        return invalid_sentences(self.resolved)

    @property
    def conflicts(self) -> tuple[str, ...]:
        return contradictions(self.resolved)

    def _groups(self, *, is_default: bool) -> SettingGroups:
        rows = {row: change for row, change in self.rows if row.is_default is is_default}
        return [(group, [(row, rows[row]) for row in own]) for group, own in in_groups(rows)]

    def _places(self) -> dict[LayerName, str]:
        places = {LayerName.SITE: reverse("admin:agents_sitedefaults_changelist")}
        if self.template:
            change = reverse("admin:agents_agenttemplate_change", args=[self.template.pk])
            places[LayerName.TEMPLATE] = change
        return places
