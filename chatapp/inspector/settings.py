"""The panel's zone on settings: those of a request, with links to where they can be changed."""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from agents.models import AgentTemplate
from chatapp.inspector.zone import ShownRecord, Zone
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.services.access import Actor
from history.services.explain.explanation import Explanation
from history.services.settings.answerer import template_of
from history.wording.deciding.sources import sources_of
from history.wording.remembering import length_range, length_unit
from history.wording.settings import SettingRow, in_groups, setting_rows

SettingGroups: TypeAlias = list[tuple[str, list[tuple[SettingRow, str]]]]


@dataclass(frozen=True)
class SettingsZone:
    """The settings, with the addresses at which staff may change them; empty for other readers.

    `template` is None if it was deleted, `explanation` if no request was sent with these settings.
    """

    resolved: Settings
    template: AgentTemplate | None
    actor: Actor
    explanation: Explanation | None = None

    @property
    def policy(self) -> str:
        return str(self.resolved.value("policy"))

    @property
    def length(self) -> str:
        return length_range(self.resolved)

    @property
    def length_unit(self) -> str:
        return length_unit(self.resolved)

    @property
    def sources(self) -> tuple[str, ...]:
        return sources_of(self.resolved)

    @cached_property
    def rows(self) -> list[tuple[SettingRow, str]]:
        places = self._places() if self.actor.is_staff else {}
        return [(row, places.get(row.layer, "")) for row in setting_rows(self.resolved)]

    @property
    def chosen(self) -> SettingGroups:
        """The settings that somebody set, or tried to set."""
        return self._groups(is_default=False)

    @property
    def built_in(self) -> SettingGroups:
        return self._groups(is_default=True)

    def _groups(self, *, is_default: bool) -> SettingGroups:
        rows = {row: change for row, change in self.rows if row.is_default is is_default}
        return [(group, [(row, rows[row]) for row in own]) for group, own in in_groups(rows)]

    def _places(self) -> dict[LayerName, str]:
        places = {LayerName.SITE: reverse("admin:agents_sitedefaults_changelist")}
        if self.template:
            change = reverse("admin:agents_agenttemplate_change", args=[self.template.pk])
            places[LayerName.TEMPLATE] = change
        return places


def settings_zone(panel: ShownRecord) -> SettingsZone:
    template = template_of(panel.record)
    return SettingsZone(panel.plan.settings, template, panel.actor, panel.explanation)


SETTINGS = Zone("settings", _("Settings"), _("each value, and where it is set"), settings_zone)
