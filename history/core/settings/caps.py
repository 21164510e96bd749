"""The caps: the highest values that layers other than the environment get, and what happens to
values beyond them.

A policy `all` acts as `lastN` if the length has a cap. The cap bounds the turns that are sent: a
stride that would send more is refused, unless the environment set it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from history.core.settings.resolved import ResolvedSetting
from history.core.settings.spec import STRIDE, Integer, LayerName
from history.core.words.facts import Rule, fact

LENGTH_MAX = "HISTORY_LENGTH_MAX"
TOKEN_BUDGET_MAX = "HISTORY_TOKEN_BUDGET_MAX"
LENGTH_CAP, TOKEN_BUDGET_CAP = Integer(1, 10_000), Integer(256)


@dataclass(frozen=True, slots=True)
class Cap:
    """The highest value of a setting, and the environment variable that sets this cap."""

    most: int
    variable: str


@dataclass(frozen=True, slots=True)
class Caps:
    """The caps by setting; None means no cap."""

    length: int | None = None
    token_budget: int | None = None

    def on(self, setting: ResolvedSetting) -> Cap | None:
        """Return the setting's cap; None if it has none or the environment decides its value."""
        caps = {"length": (self.length, LENGTH_MAX)}
        caps |= {"token_budget": (self.token_budget, TOKEN_BUDGET_MAX)}
        most, variable = caps.get(setting.name, (None, ""))
        return Cap(most, variable) if most is not None and is_open(setting) else None


NO_CAPS = Caps()


@dataclass(frozen=True, slots=True)
class LoweredValue:
    """A layer's value that a cap lowered: as it was given, and as it was lowered. For a policy
    `all`, the lowered value is the length.
    """

    name: str
    asked: object
    value: int
    variable: str


def is_open(setting: ResolvedSetting) -> bool:
    """Whether a cap applies: a value that the environment itself sets has none."""
    return setting.winner.layer is not LayerName.ENVIRONMENT


def lowered_for(
    settings: Mapping[str, ResolvedSetting], layer: LayerName
) -> Iterator[LoweredValue]:
    """Yield this layer's values that a cap lowered, if no other layer outranks them."""
    length = settings["length"].value
    for name in ("policy", "length", "token_budget"):
        winner = settings[name].winner
        reason = winner.reason
        if winner.layer is not layer or not winner.capped or reason is None:
            continue
        if reason.rule is not Rule.ALL_CAPPED:  # Reported under the policy, which asked for `all`.
            value = length if reason.rule is Rule.ALL_AS_LAST else winner.value
            yield LoweredValue(name, winner.raw, int(value or 0), reason.figures["variable"])


def capped(resolved: Mapping[str, ResolvedSetting], caps: Caps) -> dict[str, ResolvedSetting]:
    """Apply the caps to settings."""
    settings = dict(resolved)
    for name in ("token_budget", "length"):
        if cap := caps.on(settings[name]):
            settings[name] = _lowered(settings[name], cap)
    if caps.length is not None and _is_all(settings["policy"]):
        settings |= _all_as_last(resolved, caps.length)
    if cap := caps.on(settings["length"]):
        settings[STRIDE] = _within(settings, cap)
    return settings


def _lowered(setting: ResolvedSetting, cap: Cap) -> ResolvedSetting:
    value = setting.value
    if value is not None and value <= cap.most:
        return setting
    reason = fact(Rule.CAPPED, asked=value, cap=cap.most, variable=cap.variable)
    return setting.with_cap(cap.most, reason)


def _within(resolved: Mapping[str, ResolvedSetting], cap: Cap) -> ResolvedSetting:
    """Refuse a stride that would send more turns than the cap, unless the environment set it."""
    stride, length = resolved[STRIDE], resolved["length"]
    most = max(length.value, 1) + stride.value - 1
    if most <= cap.most or resolved["policy"].value != "lastN" or not is_open(stride):
        return stride
    return stride.refused(fact(Rule.STEPS_BEYOND, cap=cap.most, variable=cap.variable))


def _is_all(policy: ResolvedSetting) -> bool:
    return policy.value == "all" and is_open(policy)


def _all_as_last(resolved: Mapping[str, ResolvedSetting], cap: int) -> dict[str, ResolvedSetting]:
    """Make the policy `lastN`; its length is the cap, unless the environment has set a length."""
    policy, length = resolved["policy"], resolved["length"]
    if is_open(length):
        length = length.with_cap(cap, fact(Rule.ALL_CAPPED, cap=cap, variable=LENGTH_MAX))
    reason = fact(Rule.ALL_AS_LAST, length=length.value, variable=LENGTH_MAX)
    return {"policy": policy.with_cap("lastN", reason), "length": length}
