"""Explain a plan's settings: where they come from, what changed, what is invalid."""

from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.wording.settings import reason_of, setting_rows, shown_setting


def sources_of(settings: Settings) -> tuple[str, ...]:
    """Return where policy and length come from: one source, or both by name."""
    policy, length = settings["policy"].winner.source, settings["length"].winner.source
    return (policy,) if policy == length else (f"{policy} (policy)", f"{length} (length)")


def changes(before: Settings, now: Settings) -> tuple[str, ...]:
    """List what changed: `History length 5, from template demo v2 (was 2)`."""
    return tuple(
        f"{row.label} {row.value}, from {row.source} "
        f"(was {shown_setting(row.name, before.value(row.name))})"
        for row in setting_rows(now)
        if row.name in before and before.value(row.name) != now.value(row.name)
    )


def invalid_sentences(settings: Settings) -> tuple[str, ...]:
    """Say what is invalid. The reason names an address's parameter; for other layers, name the
    source.
    """
    return tuple(
        reason_of(candidate)
        if candidate.layer is LayerName.URL
        else f"{candidate.source}: {reason_of(candidate)}"
        for _, candidate in settings.invalid
    )
