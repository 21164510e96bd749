"""Resolved settings as rows of a table: the value, its source, and what it overrides."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from history.core.settings.resolved import Candidate, CandidateOutcome, Resolved, Settings
from history.core.settings.spec import LayerName, SettingGroup, SettingSpec, shown
from history.core.settings.table import BY_NAME
from history.core.wording import printable

GONE, NOWHERE = "No longer known", "nowhere any more"
PLACES = {
    LayerName.ENVIRONMENT: "{variable} in the server's environment",
    LayerName.URL: "{parameter} in the address",
    LayerName.CONVERSATION: "this conversation",
    LayerName.TEMPLATE: "the agent template",
    LayerName.SITE: "the site defaults",
}


@dataclass(frozen=True, slots=True)
class Loser:
    """A candidate that does not apply as given, and why; a capped winner is one too.

    `rule` is the reason without the name and the value, for rows that show these already.
    """

    value: str
    source: str
    outcome: CandidateOutcome
    reason: str
    rule: str

    @property
    def is_invalid(self) -> bool:
        return self.outcome is CandidateOutcome.INVALID


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting. `lock` says what the environment forbids; `where`, who may set it.

    `is_default`: it has its built-in value, and nobody asked for another.
    """

    name: str
    label: str
    group: str = GONE
    value: str = ""
    source: str = ""
    layer: LayerName = LayerName.BUILT_IN
    lock: str = ""
    losers: tuple[Loser, ...] = ()
    where: str = NOWHERE
    is_default: bool = False


def setting_rows(settings: Settings) -> tuple[SettingRow, ...]:
    """Make rows in the order of the settings table; a setting this version lacks keeps its name."""
    return tuple(map(_row, settings.values()))


def in_groups(rows: Iterable[SettingRow]) -> list[tuple[str, list[SettingRow]]]:
    """Group rows by subject, in the order of the settings table."""
    found: dict[str, list[SettingRow]] = {group: [] for group in (*SettingGroup, GONE)}
    for row in rows:
        found[row.group].append(row)
    return [(group, members) for group, members in found.items() if members]


def unknown_rows(values: Mapping[str, object], source: str, reason: str) -> Iterator[SettingRow]:
    """Make rows for names that no setting has."""
    for name in values.keys() - BY_NAME.keys():
        lost = Loser(shown(values[name]), source, CandidateOutcome.INVALID, reason, reason)
        yield SettingRow(name, name, losers=(lost,))


def shown_setting(name: str, value: object) -> str:
    """Write a value as settings are written everywhere; None as its meaning for this setting."""
    return BY_NAME[name].shown(value) if name in BY_NAME else shown(value)


def _row(setting: Resolved) -> SettingRow:
    spec, winner = BY_NAME.get(setting.name), setting.winner
    return SettingRow(
        name=setting.name,
        label=spec.label if spec else setting.name,
        group=spec.group if spec else GONE,
        value=shown_setting(setting.name, winner.value),
        source=winner.source,
        layer=winner.layer,
        lock=_lock(setting),
        losers=tuple(_loser(setting.name, candidate) for candidate in setting.unused),
        where=", ".join(_places(spec)) if spec else NOWHERE,
        is_default=spec is not None and _is_default(setting, spec),
    )


def _is_default(setting: Resolved, spec: SettingSpec) -> bool:
    built_in = all(candidate.layer is LayerName.BUILT_IN for candidate in setting.candidates)
    return built_in and setting.value == spec.default


def _loser(name: str, candidate: Candidate) -> Loser:
    asked, reason = shown_setting(name, candidate.raw), candidate.reason
    return Loser(asked, candidate.source, candidate.outcome, reason, _rule(candidate))


def _rule(candidate: Candidate) -> str:
    rule = candidate.reason.partition(f"={printable(str(candidate.raw))}: ")[2]
    return f"ignored: {rule}" if rule else candidate.reason


def _lock(setting: Resolved) -> str:
    if not setting.locked:
        return ""
    by_environment = setting.winner.layer is LayerName.ENVIRONMENT
    return "locked by environment" if by_environment else "closed to addresses and conversations"


def _places(spec: SettingSpec) -> Iterator[str]:
    """Yield the places where it may be set, strongest first."""
    for layer, place in PLACES.items():
        if layer in spec.layers:
            yield place.format(variable=spec.environment[0], parameter=spec.url)
