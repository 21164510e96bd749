"""Settings that cannot all hold, each in a sentence with values, sources and the way out."""

from collections.abc import Iterator
from dataclasses import dataclass

from history.core.resolved import Settings
from history.core.settings import BY_NAME
from history.core.spec import LayerName
from history.core.wording import number


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`layers` are those that supply the settings it is about."""

    settings: tuple[str, ...]
    layers: frozenset[LayerName]
    sentence: str


def contradictions(settings: Settings) -> tuple[str, ...]:
    """Sentences; none where the settings agree."""
    return tuple(found.sentence for found in find(settings))


def contradictions_of(layer: LayerName, settings: Settings) -> tuple[str, ...]:
    """Only those that this layer has a part in."""
    return tuple(found.sentence for found in find(settings) if layer in found.layers)


def find(settings: Settings) -> tuple[Contradiction, ...]:
    rules = (_summaries, _gaps, _budget, _pruning)
    return tuple(
        Contradiction(names, frozenset(settings[n].winner.layer for n in names), sentence)
        for rule in rules
        for names, sentence in rule(settings)
    )


def _summaries(settings: Settings) -> Iterator[tuple[tuple[str, ...], str]]:
    if settings.value("keep_recent") >= settings.value("trigger_at"):
        keep, trigger = _named(settings, "keep_recent"), _named(settings, "trigger_at")
        yield (
            ("keep_recent", "trigger_at"),
            f"{keep} must be less than {trigger}, or there is nothing to summarise: "
            "lower keep_recent or raise trigger_at.",
        )
    if settings.value("summarize") and settings.value("policy") == "none":
        summarize, policy = _named(settings, "summarize"), _named(settings, "policy")
        yield (
            ("summarize", "policy"),
            f"{policy} sends no summary, though {summarize}: "
            "turn summarize off or choose another policy.",
        )


def _gaps(settings: Settings) -> Iterator[tuple[tuple[str, ...], str]]:
    """Messages that have left the window wait for their summary, and are not sent meanwhile."""
    if not settings.value("summarize"):
        return
    waiting, why = _longest_wait(settings)
    causes = " and ".join(_named(settings, name) for name in ("summarize", *why))
    loss = (
        f"but with {causes} up to {number(waiting)} wait for a summary, "
        "so that some are neither sent nor summarised"
    )
    way_out = f"lower {' or '.join(why)}, or turn summarize off."
    size, held = settings.value("max_items"), 2 * max(1, settings.value("length"))
    if size is not None and size < waiting:
        yield (
            ("max_items", "summarize", *why),
            f"{_named(settings, 'max_items')} is all that is sent, {loss}: "
            f"raise max_items to {number(waiting)}, {way_out}",
        )
    if settings.value("policy") == "lastN" and held < waiting:
        yield (
            ("length", "policy", "summarize", *why),
            f"{_named(settings, 'length')} holds about {number(held)} messages, {loss}: "
            f"raise length to {number(-(-waiting // 2))}, choose policy all, {way_out}",
        )


def _longest_wait(settings: Settings) -> tuple[int, tuple[str, ...]]:
    """How many messages there may be without a summary, and the settings that say so."""
    keep, trigger = settings.value("keep_recent"), settings.value("trigger_at")
    again = keep + (settings.value("summarize_every") or keep)
    return (
        (again, ("keep_recent", "summarize_every"))
        if again > trigger
        else (
            trigger,
            ("trigger_at",),
        )
    )


def _budget(settings: Settings) -> Iterator[tuple[tuple[str, ...], str]]:
    reserve, stride = settings.value("output_reserve"), settings.value("token_stride")
    for bound in ("context_window", "token_budget"):
        room = settings.value(bound)
        if room is None:
            continue
        if reserve >= room:
            yield (
                ("output_reserve", bound),
                f"{_named(settings, 'output_reserve')} leaves nothing of "
                f"{_named(settings, bound)}: lower output_reserve or raise {bound}.",
            )
        elif stride > 1 and stride >= room - reserve:
            yield (
                ("token_stride", bound, "output_reserve"),
                f"{_named(settings, 'token_stride')} is not less than the "
                f"{number(room - reserve)} tokens that {_named(settings, bound)} leaves beside "
                f"{_named(settings, 'output_reserve')}, so a cut would take every older turn: "
                "lower token_stride.",
            )


def _pruning(settings: Settings) -> Iterator[tuple[tuple[str, ...], str]]:
    kept, protected = settings.value("sliding_window_turns"), settings.value("min_history_turns")
    if settings.value("pruner") == "sliding_window" and kept < protected:
        yield (
            ("pruner", "sliding_window_turns", "min_history_turns"),
            f"{_named(settings, 'sliding_window_turns')} is less than "
            f"{_named(settings, 'min_history_turns')}, which no pruner takes: "
            "raise sliding_window_turns or lower min_history_turns.",
        )


def _named(settings: Settings, name: str) -> str:
    """`keep_recent 100 (template demo v3)`; a capped value says by what."""
    winner = settings[name].winner
    more = f"; {winner.reason}" if winner.capped else ""
    return f"{name} {BY_NAME[name].shown(winner.value)} ({winner.source}{more})"
