"""Which settings left messages out of a request or changed them, and who set each."""

from collections.abc import Iterator

from history.core.plan.plan import Plan
from history.core.plan.verdict import CHANGED, Verdict
from history.wording.remembering import drawn_by, value_set_by

MOST = 2  # Settings beside the policy; the map has all of them.
BY_SETTING = CHANGED | {Verdict.TRIMMED, Verdict.SUMMARISED}


def decided(plan: Plan, agent: str) -> str:
    """Say it of the policy, then of others; empty if no setting did anything."""
    return " ".join([*_policy(plan, agent), *_others(plan, agent)[:MOST]])


def _policy(plan: Plan, agent: str) -> Iterator[str]:
    if any(e.verdict is Verdict.TRIMMED and e.rule == "policy" for e in plan.entries):
        yield drawn_by(plan.settings, agent)


def _others(plan: Plan, agent: str) -> list[str]:
    """The policy's own settings are in its sentence; a processor is no setting."""
    found = [e.setting for e in plan.entries if e.verdict in BY_SETTING and e.rule != "policy"]
    names = [name for name in dict.fromkeys(found) if name in plan.settings]
    return [value_set_by(plan.settings, name, agent) for name in names]
