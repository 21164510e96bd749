"""The environment's caps: what other layers ask beyond them is lowered, with a reason."""

from collections.abc import Mapping
from dataclasses import dataclass

from history.core.facts import Rule, fact
from history.core.settings.resolved import Resolved
from history.core.settings.spec import LayerName

LENGTH_MAX = "HISTORY_LENGTH_MAX"
TOKEN_BUDGET_MAX = "HISTORY_TOKEN_BUDGET_MAX"


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that any layer but the environment gets; None means no cap."""

    length: int | None = None
    token_budget: int | None = None


NO_CAPS = Caps()


def capped(resolved: Mapping[str, Resolved], caps: Caps) -> dict[str, Resolved]:
    """Apply the caps to settings. An `all` beyond the length's cap acts as `lastN`."""
    lowered = dict(resolved)
    if caps.token_budget is not None:
        lowered["token_budget"] = _lowered(
            resolved["token_budget"], caps.token_budget, TOKEN_BUDGET_MAX
        )
    if caps.length is not None:
        lowered["length"] = _lowered(resolved["length"], caps.length, LENGTH_MAX)
        if resolved["policy"].value == "all" and is_open(resolved["policy"]):
            lowered |= _all_as_last(resolved, caps.length)
    return lowered


def _lowered(setting: Resolved, cap: int, variable: str) -> Resolved:
    asked = setting.value
    if not is_open(setting) or (asked is not None and asked <= cap):
        return setting
    return setting.with_cap(cap, fact(Rule.CAPPED, asked=asked, cap=cap, variable=variable))


def _all_as_last(resolved: Mapping[str, Resolved], cap: int) -> dict[str, Resolved]:
    """Use the cap as the length, unless the environment has set one."""
    policy, length = resolved["policy"], resolved["length"]
    if is_open(length):
        length = length.with_cap(cap, fact(Rule.ALL_CAPPED, cap=cap, variable=LENGTH_MAX))
    reason = fact(Rule.ALL_AS_LAST, length=length.value, variable=LENGTH_MAX)
    return {"policy": policy.with_cap("lastN", reason), "length": length}


def is_open(setting: Resolved) -> bool:
    """Whether a cap applies: not to what the environment itself sets."""
    return setting.winner.layer is not LayerName.ENVIRONMENT
