"""The settings of a plan as rows: what holds, where it came from, and what lost to it."""

from collections.abc import Iterator
from dataclasses import dataclass

from agents.preview import shown
from history.core.resolution import Candidate, LayerName, Outcome, Resolved, Settings
from history.core.settings import BY_NAME, SettingSpec

PLACES = {
    LayerName.ENVIRONMENT: "{variable} in the server's environment",
    LayerName.URL: "{parameter} in the address",
    LayerName.CONVERSATION: "this conversation",
    LayerName.TEMPLATE: "the agent template",
    LayerName.SITE: "the site defaults",
}


@dataclass(frozen=True, slots=True)
class Loser:
    """A candidate that does not count, and why."""

    value: str
    source: str
    outcome: Outcome
    reason: str

    @property
    def is_invalid(self) -> bool:
        return self.outcome is Outcome.INVALID


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting. `lock` says what the environment forbids; `where`, who may set it."""

    name: str
    label: str
    value: str
    source: str
    layer: LayerName
    lock: str
    losers: tuple[Loser, ...]
    where: str


def setting_rows(settings: Settings) -> tuple[SettingRow, ...]:
    """In the order of the settings table; one that a newer version dropped keeps its own name."""
    return tuple(map(_row, settings.values()))


def sources_of(settings: Settings) -> tuple[str, ...]:
    """Where policy and length come from: one source, or both by name."""
    policy, length = settings["policy"].winner.source, settings["length"].winner.source
    return (policy,) if policy == length else (f"{policy} (policy)", f"{length} (length)")


def changes(before: Settings, now: Settings) -> tuple[str, ...]:
    """What is not as it was: `History length 5, from template demo v2 (was 2)`."""
    return tuple(
        f"{row.label} {row.value}, from {row.source} (was {shown(before.value(row.name))})"
        for row in setting_rows(now)
        if row.name in before and before.value(row.name) != now.value(row.name)
    )


def invalid_sentences(settings: Settings) -> tuple[str, ...]:
    return tuple(f"{candidate.source}: {candidate.reason}" for _, candidate in settings.invalid)


def _row(setting: Resolved) -> SettingRow:
    spec = BY_NAME.get(setting.name)
    winner = setting.winner
    return SettingRow(
        name=setting.name,
        label=spec.label if spec else setting.name,
        value=shown(winner.value),
        source=winner.source,
        layer=winner.layer,
        lock=_lock(setting),
        losers=tuple(_losers(setting)),
        where=", ".join(_places(spec)) if spec else "nowhere any more",
    )


def _losers(setting: Resolved) -> Iterator[Loser]:
    for candidate in setting.candidates:
        if candidate.outcome is not Outcome.WINNER:
            yield _loser(candidate)


def _loser(candidate: Candidate) -> Loser:
    return Loser(shown(candidate.raw), candidate.source, candidate.outcome, candidate.reason)


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
