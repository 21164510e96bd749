"""The settings for a chat's next message, in words: what applies to it now, where that comes from,
and what this chat can't change.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.effective import contradictions_of
from history.core.settings.caps import NO_CAPS, Cap, Caps
from history.core.settings.layers import Refusal
from history.core.settings.resolution import locked_by
from history.core.settings.resolved import Candidate, Settings
from history.core.settings.spec import Integer, LayerName, SettingSpec, Value, shown_value
from history.core.settings.table import BY_NAME, SETTINGS
from history.core.words.wording import number
from history.wording.deciding.allowing import allowed, most, most_turns
from history.wording.deciding.locks import why_locked
from history.wording.deciding.sources import in_brackets, source_of, why_refused
from history.wording.headline import joined
from history.wording.names import label_of
from history.wording.remembering import is_limited, remembers, set_by

QUESTION = ("policy", "length")  # Most people look for these settings; the others are further down.
WITHOUT_LENGTH = {"all", "none"}  # Policies that ignore the length.


@dataclass(frozen=True, slots=True)
class SettingsForChat:
    """The settings for the next message: `resolved`, and `below` without those of this chat.

    `refusal` says why this person may set none at all. `caps` are the most that the server allows.
    Only staff read the names of the server's variables.
    """

    own: Mapping[str, Value]
    resolved: Settings
    below: Settings
    refusal: Refusal | None = None
    caps: Caps = NO_CAPS
    is_staff: bool = False

    def lock(self, spec: SettingSpec) -> str:
        """Say why this setting can't be changed here; empty if it can."""
        if locked := why_locked(self.resolved, spec.name, is_staff=self.is_staff):
            return locked
        refused = _("You can't change this: {why}.")
        return refused.format(why=why_refused(self.refusal.who)) if self.refusal else ""

    def hint(self, spec: SettingSpec) -> str:
        most = self._most(spec.name)
        advice = _(spec.advice) if spec.advice and not most else ""
        sentences = (_(spec.help), advice, self._default(spec), most, self._used(spec))
        return " ".join(filter(None, sentences))

    def _default(self, spec: SettingSpec) -> str:
        """Say what applies if this chat sets nothing; empty if that comes from the address."""
        below = self.below[spec.name].winner
        if below.layer is LayerName.URL and not below.capped:
            return ""
        default = _("Default: {value}.")
        if below.layer is not LayerName.BUILT_IN and not below.capped:
            default = _("Default: {value} (from {source}).")
        return default.format(value=written(spec, below.value), source=source_of(below))

    def _most(self, name: str) -> str:
        cap = self.caps.on(self.resolved[name])
        return most(self.resolved, name, cap, is_staff=self.is_staff) if cap else ""

    def most_of(self, spec: SettingSpec) -> int | None:
        """Return the highest value that the setting may have here; None if it is not a number."""
        if not isinstance(spec.kind, Integer):
            return None
        cap = self.caps.on(self.resolved[spec.name])
        return min(spec.kind.maximum, cap.most if cap else spec.kind.maximum)

    def _used(self, spec: SettingSpec) -> str:
        """Say which value is in force if it is neither this chat's own nor the default; or that the
        policy in force ignores the setting. Empty if there is nothing to say.
        """
        if spec.name == "length" and self.resolved.value("policy") in WITHOUT_LENGTH:
            return self._not_used()
        winner = self.resolved[spec.name].winner
        is_own = winner.layer is LayerName.CONVERSATION and not winner.capped
        if is_own or not (spec.name in self.own or winner.layer is LayerName.URL):
            return ""
        value = _(spec.shown(winner.value))
        if winner.capped:  # The form names the maximum already.
            return _("Currently used: {value}.").format(value=value)
        text = _("Currently used: {value} (from {source}).")
        return text.format(value=value, source=_source(winner))

    def _not_used(self) -> str:
        policy = self.resolved["policy"].winner
        text = _("Not used now: {setting} is {policy} (from {source}).")
        if policy.layer is LayerName.CONVERSATION:
            text = _("Not used now: {setting} is {policy}.")
        label = label_of("policy")
        return text.format(setting=label, policy=policy.value, source=_source(policy))

    @property
    def is_of_address(self) -> bool:
        """Whether the address decides what the model remembers if this chat sets nothing."""
        names = QUESTION if self.below.value("policy") == "lastN" else ("policy",)
        return any(self.below[name].winner.layer is LayerName.URL for name in names)

    @property
    def leaving(self) -> str:
        """Say which parameters leave the address once values are saved instead; empty if none."""
        parameters = [
            f"{spec.url}={self.below[spec.name].winner.raw}"
            for spec in SETTINGS
            if self.below[spec.name].winner.layer is LayerName.URL
        ]
        text = ngettext(
            "Saving a value here removes {parameters} from the address of this page.",
            "Saving values here removes {parameters} from the address of this page.",
            len(parameters),
        )
        return text.format(parameters=joined(parameters)) if parameters else ""

    def too_much(self, name: str, value: Value | None) -> str:
        """Say that the server allows less than this value; empty if it allows the value."""
        cap = self.caps.on(self.resolved[name])
        if cap is None or value is None or int(value) <= cap.most:
            return ""
        text = _("{value} is too much: the server allows at most {most}{variable}.")
        variable = in_brackets(cap.variable, is_staff=self.is_staff)
        return text.format(value=shown_value(value), most=number(cap.most), variable=variable)

    @property
    def most_turns(self) -> Cap | None:
        return self.caps.on(self.resolved["length"])

    @property
    def lowered(self) -> tuple[str, ...]:
        """Sentences on values in force that are lower than this chat asks for, due to caps."""
        return tuple(allowed(self.resolved, LayerName.CONVERSATION))

    @property
    def everything(self) -> str:
        """A sentence on the most that the model can remember here."""
        if (cap := self.most_turns) is None:
            return _("Everything that fits in the context window.")
        turns = most_turns(self.resolved, cap)
        text = ngettext("At most {most} turn here.", "At most {most} turns here.", turns)
        return text.format(most=number(turns))

    @property
    def usual(self) -> str:
        """Sentences on what the model remembers if this chat sets nothing, and on who set that."""
        why = set_by(self.below)
        is_said = self.is_of_address and not is_limited(self.below)  # The choice is called so.
        return remembers(self.below, why="" if is_said else why)

    @property
    def fixed(self) -> str:
        """Sentences on what the model remembers, and why, if this chat cannot choose that."""
        locking = {lock.name for name in QUESTION if (lock := locked_by(self.resolved, name))}
        names = [name for name in QUESTION if name in locking] or QUESTION
        reasons = (self.lock(BY_NAME[name]) for name in names)
        return remembers(self.resolved, why=" ".join(dict.fromkeys(reasons)))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on settings of this chat that contradict each other."""
        return contradictions_of(LayerName.CONVERSATION, self.resolved)


def written(spec: SettingSpec, value: Value | None) -> str:
    """Write a value; the setting's help says what 0 means."""
    if isinstance(value, str):
        return _(spec.words[value]) if value in spec.words else value
    return number(0) if value == 0 and value is not False else _(spec.shown(value))


def _source(winner: Candidate) -> str:
    """Name the source of a value that is in force."""
    return _("the address of this page") if winner.layer is LayerName.URL else source_of(winner)
