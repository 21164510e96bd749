"""Resolved settings in words: the rows of a table, their sources, what changed, what is invalid."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from history.core.settings.layers import TEXT_LAYERS
from history.core.settings.resolved import Candidate, CandidateOutcome, ResolvedSetting, Settings
from history.core.settings.spec import LayerName, SettingGroup, SettingSpec, shown_value
from history.core.settings.spec import gettext_noop as _
from history.core.settings.steps import is_idle
from history.core.settings.table import BY_NAME
from history.core.words.errors import SettingErrors
from history.core.words.facts import Fact, Rule
from history.wording.deciding.locks import lock_of
from history.wording.deciding.places import places_of
from history.wording.deciding.sources import (
    OF_PREFIX,
    TRIED,
    decider_name,
    source_name,
    source_of,
    why_refused,
)
from history.wording.faults import VALUES, Say, fill, word_fault, word_rule
from history.wording.names import label_of

BUILT_IN = "built-in"  # A source, as plans store it.
GONE, NOWHERE = _("No longer known"), _("nowhere")
UNSET_CAPPED = _("not set; the server allows {cap} ({variable})")
REASONS: Mapping[Rule, str] = {
    Rule.SAME_VALUE: _("same value, overridden"),
    Rule.LOWER_RANK: _("overridden"),
    Rule.CAPPED: _("{asked} requested; the server allows {cap} ({variable})"),
    Rule.ALL_CAPPED: _("History policy all is requested; the server allows {cap} ({variable})"),
    Rule.ALL_AS_LAST: _("all requested; the server allows a length of {length} ({variable})"),
    Rule.LOCKED: _("ignored: set by the server"),
    Rule.OWN_STRIDE: _("ignored: the server sets the length, so only its own steps apply"),
    Rule.OTHER_LENGTH: _(
        "ignored: the length was set in the address, the chat or a what-if, so it is exact"
    ),
    Rule.STEPS_BEYOND: _("ignored: with it, more than {cap} turns would be sent ({variable})"),
    Rule.STEPS_OF_PREFIX: OF_PREFIX,
    Rule.LAYER_REFUSED: _("ignored: {why} ({variable}={who})"),
    Rule.MAY_NOT_SET: _("ignored: can't be set by {layer}"),
}


@dataclass(frozen=True, slots=True)
class Loser:
    """A candidate that does not apply as given, and why. A winner that a cap lowered counts, too.

    `rule` is the reason without the setting's name and value, for rows that show both anyway.
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
    """A setting, with what its value means. `lock`: the environment forbids changes. `is_default`:
    built in, and no layer asked for another value. `is_idle`: the others give it no effect.
    """

    name: str
    label: str
    group: str = GONE
    value: str = ""
    meaning: str = ""
    source: str = ""
    layer: LayerName = LayerName.BUILT_IN
    lock: str = ""
    losers: tuple[Loser, ...] = ()
    is_default: bool = False
    is_idle: bool = False

    @property
    def differing(self) -> tuple[Loser, ...]:
        """The losers with another value than the winner's; `alike` are those with the same."""
        return tuple(loser for loser in self.losers if loser.value != self.value)

    @property
    def alike(self) -> tuple[Loser, ...]:
        return tuple(loser for loser in self.losers if loser.value == self.value)

    @property
    def where(self) -> str:
        return ", ".join(places_of(BY_NAME[self.name])) if self.name in BY_NAME else NOWHERE


def setting_rows(settings: Settings) -> tuple[SettingRow, ...]:
    """Make rows in the settings table's order; a setting that this version lacks keeps its name."""
    return tuple(_row(setting, settings) for setting in settings.values())


def in_groups(rows: Iterable[SettingRow]) -> list[tuple[str, list[SettingRow]]]:
    """Group the rows by subject, in the order of the settings table."""
    groups: dict[str, list[SettingRow]] = {group: [] for group in (*SettingGroup, GONE)}
    for row in rows:
        groups[row.group].append(row)
    return [(gettext(group), members) for group, members in groups.items() if members]


def unknown_rows(values: Mapping[str, object], source: str, reason: str) -> Iterator[SettingRow]:
    """Make rows for values whose names belong to no setting."""
    for name in values.keys() - BY_NAME.keys():
        lost = Loser(shown_value(values[name]), source, CandidateOutcome.INVALID, reason, reason)
        yield SettingRow(name, name, losers=(lost,))


def shown_setting(name: str, value: object) -> str:
    """Write a value as settings are written everywhere; for None, write what that means."""
    return _value(BY_NAME.get(name), value)


def _row(setting: ResolvedSetting, settings: Settings) -> SettingRow:
    spec, winner = BY_NAME.get(setting.name), setting.winner
    meaning = spec.words.get(str(winner.value), "") if spec else ""
    return SettingRow(
        name=setting.name,
        label=label_of(setting.name),
        group=spec.group if spec else GONE,
        value=_value(spec, winner.value),
        meaning=gettext(meaning) if meaning else "",
        source=decider_name(winner),
        layer=LayerName.ENVIRONMENT if winner.capped else winner.layer,
        lock=lock_of(settings, setting.name),
        losers=tuple(_loser(setting.name, candidate) for candidate in setting.unused),
        is_default=spec is not None and _is_default(setting, spec),
        is_idle=is_idle(setting.name, settings),
    )


def _value(spec: SettingSpec | None, value: object) -> str:
    if spec is None:
        return shown_value(value)
    is_worded = value is None or isinstance(value, bool) or (value == 0 and spec.zero)
    return gettext(spec.shown(value)) if is_worded else spec.shown(value)


def _is_default(setting: ResolvedSetting, spec: SettingSpec) -> bool:
    built_in = all(candidate.layer is LayerName.BUILT_IN for candidate in setting.candidates)
    return built_in and setting.value == spec.default


def _loser(name: str, candidate: Candidate) -> Loser:
    value, source = shown_setting(name, candidate.raw), source_name(candidate)
    return Loser(value, source, candidate.outcome, reason_of(candidate), brief(candidate))


def reason_of(candidate: Candidate, say: Say = gettext) -> str:
    """Say why a candidate does not apply as given; the text is empty if it applies."""
    fact = candidate.reason
    if fact is None:
        return ""
    if fact.rule not in REASONS:
        return word_fault(fact, say) if candidate.layer in TEXT_LAYERS else labelled(fact, say)
    if fact.rule is Rule.LAYER_REFUSED:
        return _refused(fact, say)
    is_unset = fact.rule is Rule.CAPPED and fact.figures["asked"] is None
    return fill(say(UNSET_CAPPED if is_unset else REASONS[fact.rule]), fact.figures)


def _refused(fact: Fact, say: Say) -> str:
    """Say who may set the refused setting."""
    why = why_refused(str(fact.figures["who"]), say)
    return say(REASONS[fact.rule]).format(**fact.figures, why=why)


def labelled(fact: Fact, say: Say = gettext) -> str:
    """Word a fault for people who have never typed the name of the setting."""
    if fact.rule not in VALUES or "name" not in fact.figures:
        return word_fault(fact, say)
    text = say(_("{setting} {value}: {fault}"))
    name, value = fact.figures["name"], fact.figures["value"]
    return text.format(setting=label_of(name, say), value=value, fault=word_rule(fact, say))


def labelled_faults_of(error: SettingErrors) -> list[str]:
    """Return one sentence for each wrong setting."""
    return [labelled(fact) for fact in error.by_setting.values()]


def brief(candidate: Candidate) -> str:
    """Say why a candidate does not apply as given, without the name and value of the setting."""
    if (fact := candidate.reason) and fact.rule in VALUES:
        return gettext("ignored: {rest}").format(rest=word_rule(fact))
    return reason_of(candidate)


def changes(before: Settings, now: Settings) -> tuple[str, ...]:
    """List what changed and counts, as in `History length 5, from agent demo v2 (was 2)`."""
    return tuple(
        _change(row, now, before)
        for row in setting_rows(now)
        if not row.is_idle and row.name in before and before.value(row.name) != now.value(row.name)
    )


def _change(row: SettingRow, now: Settings, before: Settings) -> str:
    """Word a change. Nobody chose a built-in value, so its source is not mentioned."""
    winner = now[row.name].winner
    text = gettext("{setting} {value}, from {source} (was {before})")
    if winner.source == TRIED:
        text = gettext("{setting} {value} (what-if) instead of {before}")
    elif row.is_default or (winner.source == BUILT_IN and not winner.capped):
        text = gettext("{setting} {value}, the default (was {before})")
    was = shown_setting(row.name, before.value(row.name))
    names = {"setting": row.label, "source": source_of(winner)}
    return text.format(**names, value=row.value, before=was)


def invalid_sentences(
    settings: Settings, parameters: Container[tuple[str, object] | None] = ()
) -> tuple[str, ...]:
    """Say which candidates are invalid, except for those of the address in `parameters`, given by
    name and value. Each sentence names the parameter, or begins with the candidate's source.
    """
    return tuple(
        reason_of(candidate)
        if candidate.layer is LayerName.URL
        else gettext("{source}: {reason}").format(
            source=source_name(candidate), reason=reason_of(candidate)
        )
        for name, candidate in settings.invalid
        if candidate.layer is not LayerName.URL or (name, candidate.raw) not in parameters
    )
