"""What a plan's settings say: where they come from, what changed, and what is invalid."""

from django.utils.translation import gettext as _

from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.wording.settings import reason_of, setting_rows, shown_setting, source_of


def sources_of(settings: Settings) -> tuple[str, ...]:
    """Return where policy and length come from: one source, or both by name."""
    policy, length = (source_of(settings[name].winner) for name in ("policy", "length"))
    if policy == length:
        return (policy,)
    return (
        _("{source} (policy)").format(source=policy),
        _("{source} (length)").format(source=length),
    )


def changes(before: Settings, now: Settings) -> tuple[str, ...]:
    """List what changed: `History length 5, from template demo v2 (was 2)`."""
    return tuple(
        _("{setting} {value}, from {source} (was {before})").format(
            setting=row.label,
            value=row.value,
            source=row.source,
            before=shown_setting(row.name, before.value(row.name)),
        )
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
        else _("{source}: {reason}").format(
            source=source_of(candidate), reason=reason_of(candidate)
        )
        for name, candidate in settings.invalid
    )
