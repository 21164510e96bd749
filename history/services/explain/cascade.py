"""The settings of a plan as rows: what holds, where it came from, and what lost to it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agents.preview import shown
from history.core.settings.resolution import Candidate, LayerName, Outcome, Resolved, Settings
from history.core.settings.table import BY_NAME, Group, SettingSpec
from history.core.wording import printable

GONE = "No longer known"
PLACES = {
    LayerName.ENVIRONMENT: "{variable} in the server's environment",
    LayerName.URL: "{parameter} in the address",
    LayerName.CONVERSATION: "this conversation",
    LayerName.TEMPLATE: "the agent template",
    LayerName.SITE: "the site defaults",
}


@dataclass(frozen=True, slots=True)
class Loser:
    """A candidate that does not count as it was asked, and why; a capped winner is one too."""

    value: str
    source: str
    outcome: Outcome
    reason: str

    @property
    def is_invalid(self) -> bool:
        return self.outcome is Outcome.INVALID


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting. `lock` says what the environment forbids; `where`, who may set it.

    `is_default`: it has its built-in value, and nobody asked for another.
    """

    name: str
    label: str
    group: str
    value: str
    source: str
    layer: LayerName
    lock: str
    losers: tuple[Loser, ...]
    where: str
    is_default: bool


def setting_rows(settings: Settings) -> tuple[SettingRow, ...]:
    """In the order of the settings table; one that a newer version dropped keeps its own name."""
    return tuple(map(_row, settings.values()))


def in_groups(rows: Iterable[SettingRow]) -> list[tuple[str, list[SettingRow]]]:
    """By what they are about, in the order of the settings table."""
    found: dict[str, list[SettingRow]] = {group: [] for group in (*Group, GONE)}
    for row in rows:
        found[row.group].append(row)
    return [(group, members) for group, members in found.items() if members]


def sources_of(settings: Settings) -> tuple[str, ...]:
    """Where policy and length come from: one source, or both by name."""
    policy, length = settings["policy"].winner.source, settings["length"].winner.source
    return (policy,) if policy == length else (f"{policy} (policy)", f"{length} (length)")


def changes(before: Settings, now: Settings) -> tuple[str, ...]:
    """What is not as it was: `History length 5, from template demo v2 (was 2)`."""
    return tuple(
        f"{row.label} {row.value}, from {row.source} "
        f"(was {shown(before.value(row.name), row.name)})"
        for row in setting_rows(now)
        if row.name in before and before.value(row.name) != now.value(row.name)
    )


def invalid_sentences(settings: Settings) -> tuple[str, ...]:
    """The reason names an address's parameter; what another layer calls it does not tell whose."""
    return tuple(
        candidate.reason
        if candidate.layer is LayerName.URL
        else f"{candidate.source}: {candidate.reason}"
        for _, candidate in settings.invalid
    )


def _row(setting: Resolved) -> SettingRow:
    spec = BY_NAME.get(setting.name)
    winner = setting.winner
    return SettingRow(
        name=setting.name,
        label=spec.label if spec else setting.name,
        group=spec.group if spec else GONE,
        value=shown(winner.value, setting.name),
        source=winner.source,
        layer=winner.layer,
        lock=_lock(setting),
        losers=tuple(_loser(setting.name, candidate) for candidate in setting.unused),
        where=", ".join(_places(spec)) if spec else "nowhere any more",
        is_default=spec is not None and _is_default(setting, spec),
    )


def _is_default(setting: Resolved, spec: SettingSpec) -> bool:
    built_in = all(candidate.layer is LayerName.BUILT_IN for candidate in setting.candidates)
    return built_in and setting.value == spec.default


def _loser(name: str, candidate: Candidate) -> Loser:
    asked = shown(candidate.raw, name)
    return Loser(asked, candidate.source, candidate.outcome, _rule(candidate))


def _rule(candidate: Candidate) -> str:
    """The reason without `name=value: ` ahead of it, which stand in the row already."""
    rule = candidate.reason.partition(f"={printable(str(candidate.raw))}: ")[2]
    return f"ignored: {rule}" if rule else candidate.reason


def _lock(setting: Resolved) -> str:
    if not setting.locked:
        return ""
    by_environment = setting.winner.layer is LayerName.ENVIRONMENT
    return "locked by environment" if by_environment else "closed to addresses and conversations"


def _places(spec: SettingSpec) -> Iterator[str]:
    """Strongest first."""
    for layer, place in PLACES.items():
        if layer in spec.layers:
            yield place.format(variable=spec.environment[0], parameter=spec.url)
