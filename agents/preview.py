"""What the history settings of a template, or of the site, come to: rows for the admin's table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from django.conf import settings

from agents.layers import built_in_layer, site_layer, template_layer
from agents.models import AgentTemplate, SiteDefaults
from history.core.resolution import Layer, LayerName, Outcome, Resolved, Settings, resolve
from history.core.settings import BY_NAME, SETTINGS
from history.core.wording import number

NOBODY = "no such setting; saving this page removes it"


@dataclass(frozen=True, slots=True)
class Loser:
    """A candidate that does not count, and why."""

    value: str
    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Row:
    """One setting. `lock` says what the environment forbids; empty where it is silent."""

    label: str
    value: str
    source: str
    lock: str
    losers: tuple[Loser, ...]


def effective(*layers: Layer) -> Settings:
    """With the environment on top. Names that no longer exist are left to `_unknown_rows`."""
    known = [replace(layer, values=_known(layer.values)) for layer in layers]
    return resolve([settings.HISTORY_ENVIRONMENT, *known])


def template_rows(template: AgentTemplate, site: SiteDefaults | None) -> list[Row]:
    layer = template_layer(template)
    model = template.model or settings.DEFAULT_MODEL
    resolved = effective(layer, site_layer(site), built_in_layer(model))
    return [*map(_row, resolved.values()), *_unknown_rows(layer)]


def site_rows(site: SiteDefaults | None) -> list[Row]:
    """Without what only a template or the model's catalogue can tell."""
    layer = site_layer(site)
    resolved = effective(layer)
    names = [spec.name for spec in SETTINGS if spec.allows(LayerName.SITE)]
    return [*(_row(resolved[name]) for name in names), *_unknown_rows(layer)]


def shown(value: object) -> str:
    """As the settings are written everywhere: `true`, `lastN`, `8,192`."""
    if isinstance(value, bool):
        return str(value).lower()
    return number(value) if isinstance(value, int) else str(value)


def _row(setting: Resolved) -> Row:
    losers = tuple(
        Loser(shown(candidate.raw), candidate.source, candidate.reason)
        for candidate in setting.candidates
        if candidate.outcome is not Outcome.WINNER
    )
    winner = setting.winner
    return Row(
        BY_NAME[setting.name].label, shown(winner.value), winner.source, _lock(setting), losers
    )


def _lock(setting: Resolved) -> str:
    if setting.winner.layer is LayerName.ENVIRONMENT:
        return "locked by environment"
    return "closed to addresses and conversations" if setting.locked else ""


def _known(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if name in BY_NAME}


def _unknown_rows(layer: Layer) -> Iterator[Row]:
    for name in layer.values.keys() - BY_NAME.keys():
        lost = Loser(shown(layer.values[name]), layer.source, NOBODY)
        yield Row(name, "", "", "", (lost,))
