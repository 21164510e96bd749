"""The development log's lines. Numbers and settings only, never the text of a message."""

from history.core.plan.plan import Plan


def log_lines(plan: Plan, agent: str) -> tuple[str, ...]:
    """The settings in force; a second line only if something was trimmed."""
    counts = plan.counts
    policy, length = plan.settings.value("policy"), plan.settings.value("length")
    first = (
        f"[History] Agent {agent} history settings: "
        f'{{policy: "{policy}", length: {length}, messageCount: {counts.transcript}}}'
    )
    if not counts.trimmed:
        return (first,)
    return (first, f"[History] Trimmed messages from {counts.transcript} to {counts.sent}")
