"""Resolved settings: the value of each one, and what became of every candidate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from history.core.settings.spec import LayerName, SettingSpec, Value
from history.core.settings.table import BY_NAME
from history.core.words.facts import Fact

NOT_RECORDED = "not recorded: older plan"


class CandidateOutcome(StrEnum):
    WINNER = "winner"
    OUTRANKED = "outranked"
    LOCKED = "locked"
    REFUSED = "refused"
    INVALID = "invalid"


APPLICABLE = frozenset({CandidateOutcome.WINNER, CandidateOutcome.OUTRANKED})


@dataclass(frozen=True, slots=True)
class Candidate:
    """One layer's value for one setting. `value` is None if `raw` is unset or invalid, or if the
    layer may not set it.

    `capped`: the value is what a cap made of `raw`; the reason says so. `variable` is the name of
    the environment variable; empty for other layers, and in older records.
    """

    layer: LayerName
    source: str
    raw: object
    value: Value | None
    outcome: CandidateOutcome
    reason: Fact | None = None
    capped: bool = False
    variable: str = ""

    @property
    def deciding_variable(self) -> str:
        """The environment variable that decided the value, if one did. For a lowered value, it is
        the cap's variable.
        """
        variable = self.reason.figures.get("variable", "") if self.capped and self.reason else ""
        return str(variable or self.variable)

    @property
    def decider(self) -> str:
        """The source of the value: the cap, if it lowered the value that `source` asked for."""
        return f"env {self.deciding_variable}" if self.capped else self.source

    def as_dict(self) -> dict[str, Any]:
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**own, "reason": self.reason.as_dict() if self.reason else None}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Candidate":
        reason = data["reason"]
        read = {
            "layer": LayerName(data["layer"]),
            "outcome": CandidateOutcome(data["outcome"]),
            "reason": Fact.from_dict(reason) if reason else None,
        }
        return cls(**{**data, **read})


@dataclass(frozen=True, slots=True)
class ResolvedSetting:
    """One setting: every candidate, strongest layer first; exactly one of them is the winner.

    `locked`: the environment decides, so neither URL nor conversation can.
    """

    name: str
    candidates: tuple[Candidate, ...]
    locked: bool

    def as_dict(self) -> dict[str, Any]:
        candidates = [candidate.as_dict() for candidate in self.candidates]
        return {"locked": self.locked, "candidates": candidates}

    @property
    def winner(self) -> Candidate:
        return next(c for c in self.candidates if c.outcome is CandidateOutcome.WINNER)

    @property
    def value(self) -> Any:
        """The value in the setting's kind: text, whole number, boolean; None is unset."""
        return self.winner.value

    @property
    def unused(self) -> tuple[Candidate, ...]:
        """Candidates that do not apply as given: all but the winner, and a winner that a cap
        lowered.
        """
        return tuple(
            c for c in self.candidates if c.outcome is not CandidateOutcome.WINNER or c.capped
        )

    def refused(self, reason: Fact) -> "ResolvedSetting":
        """Refuse the values of all layers except the built-in one."""
        *others, built_in = self.candidates
        lost = CandidateOutcome.REFUSED
        refused = (
            replace(c, outcome=lost, reason=reason) if c.outcome in APPLICABLE else c
            for c in others
        )
        built_in = replace(built_in, outcome=CandidateOutcome.WINNER, reason=None)
        return replace(self, candidates=(*refused, built_in))

    def with_cap(self, value: Value, reason: Fact) -> "ResolvedSetting":
        """Return the setting with a cap's value; its winner stays the same."""
        winner = self.winner
        lowered = replace(winner, value=value, reason=reason, capped=True)
        candidates = tuple(lowered if c is winner else c for c in self.candidates)
        return replace(self, candidates=candidates)


@dataclass(frozen=True, slots=True)
class Settings(Mapping[str, ResolvedSetting]):
    """All settings by name. They can be stored as JSON and read back unchanged."""

    resolved: Mapping[str, ResolvedSetting]

    def __getitem__(self, name: str) -> ResolvedSetting:
        return self.resolved[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.resolved)

    def __len__(self) -> int:
        return len(self.resolved)

    def value(self, name: str) -> Any:
        return self.resolved[name].value

    @property
    def invalid(self) -> tuple[tuple[str, Candidate], ...]:
        """Values that were given but could not be read, for pages to show."""
        return tuple(
            (name, candidate)
            for name, setting in self.resolved.items()
            for candidate in setting.candidates
            if candidate.outcome is CandidateOutcome.INVALID
        )

    def as_dict(self) -> dict[str, Any]:
        return {name: setting.as_dict() for name, setting in self.resolved.items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Settings":
        """Read stored settings. A setting that an older version did not record gets its default;
        one that this version dropped is kept.

        Settings are put in the order of the table, which a database may have lost.
        """
        return cls(
            {
                name: _resolved_from(name, data[name]) if name in data else _not_recorded(spec)
                for name, spec in BY_NAME.items()
            }
            | {name: _resolved_from(name, data[name]) for name in data if name not in BY_NAME}
        )


def default(spec: SettingSpec, source: str = "") -> Candidate:
    """The value that applies if no layer says anything."""
    source = source or spec.default_source
    return Candidate(
        LayerName.BUILT_IN, source, spec.default, spec.default, CandidateOutcome.WINNER
    )


def _not_recorded(spec: SettingSpec) -> ResolvedSetting:
    return ResolvedSetting(spec.name, (default(spec, NOT_RECORDED),), locked=False)


def _resolved_from(name: str, data: Mapping[str, Any]) -> ResolvedSetting:
    return ResolvedSetting(
        name, tuple(map(Candidate.from_dict, data["candidates"])), data["locked"]
    )
