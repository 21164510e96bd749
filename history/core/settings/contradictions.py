"""Find settings that contradict each other: values, sources and the way out, in a sentence each."""

from collections.abc import Iterator
from dataclasses import dataclass

from history.core.settings.caps import LENGTH_MAX, NO_CAPS, TOKEN_BUDGET_MAX, Caps, is_open
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME
from history.core.wording import number


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Settings that contradict each other; `layers` are those that supply them."""

    settings: tuple[str, ...]
    layers: frozenset[LayerName]
    sentence: str


def find(settings: Settings, caps: Caps = NO_CAPS) -> tuple[Contradiction, ...]:
    """Find contradictions; the ways out named are only those that the caps allow."""
    rules = (_summaries, _gaps, _budget, _pruning)
    return tuple(
        Contradiction(names, frozenset(settings[n].winner.layer for n in names), sentence)
        for rule in rules
        for names, sentence in rule(settings, caps)
    )


def _summaries(settings: Settings, caps: Caps) -> Iterator[tuple[tuple[str, ...], str]]:
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


def _gaps(settings: Settings, caps: Caps) -> Iterator[tuple[tuple[str, ...], str]]:
    """Check that no message leaves the window before its summary is due."""
    if not settings.value("summarize"):
        return
    waiting, why = _longest_wait(settings)
    causes = " and ".join(_named(settings, name) for name in ("summarize", *why))
    loss = (
        f"but with {causes} up to {number(waiting)} wait for a summary, "
        "so that some are neither sent nor summarised"
    )
    way_out = f"lower {' or '.join(why)}, or turn summarize off"
    size, held = settings.value("max_items"), 2 * max(1, settings.value("length"))
    if size is not None and size < waiting:
        yield (
            ("max_items", "summarize", *why),
            f"{_named(settings, 'max_items')} is all that is sent, {loss}: "
            f"raise max_items to {number(waiting)}, {way_out}.",
        )
    if settings.value("policy") == "lastN" and held < waiting:
        longer, bound = _longer(settings, -(-waiting // 2), caps)
        yield (
            ("length", "policy", "summarize", *why),
            f"{_named(settings, 'length')} holds about {number(held)} messages, {loss}: "
            f"{longer}{way_out}{bound}.",
        )


def _longer(settings: Settings, wanted: int, caps: Caps) -> tuple[str, str]:
    """Say how the window may hold this many turns, and what bounds it; each may be empty."""
    if caps.length is None or wanted <= caps.length:
        return f"raise length to {number(wanted)}, choose policy all, ", ""
    ways = {"length": f"raise length to {number(wanted)}, ", "policy": "choose policy all, "}
    bound = f"; {LENGTH_MAX} allows no more than {number(caps.length)}"
    return "".join(way for name, way in ways.items() if not is_open(settings[name])), bound


def _longest_wait(settings: Settings) -> tuple[int, tuple[str, ...]]:
    """Return how many messages may go without a summary, and the settings that decide it."""
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


def _budget(settings: Settings, caps: Caps) -> Iterator[tuple[tuple[str, ...], str]]:
    reserve, stride = settings.value("output_reserve"), settings.value("token_stride")
    for bound in ("context_window", "token_budget"):
        room = settings.value(bound)
        if room is None:
            continue
        if reserve >= room:
            yield (
                ("output_reserve", bound),
                f"{_named(settings, 'output_reserve')} leaves nothing of "
                f"{_named(settings, bound)}: lower output_reserve{_wider(settings, bound, caps)}.",
            )
        elif stride > 1 and stride >= room - reserve:
            yield (
                ("token_stride", bound, "output_reserve"),
                f"{_named(settings, 'token_stride')} is not less than the "
                f"{number(room - reserve)} tokens that {_named(settings, bound)} leaves beside "
                f"{_named(settings, 'output_reserve')}, so a cut would take every older turn: "
                "lower token_stride.",
            )


def _wider(settings: Settings, bound: str, caps: Caps) -> str:
    """Say that the budget or window may be raised, or what forbids it."""
    most = caps.token_budget
    if bound != "token_budget" or most is None or not is_open(settings[bound]):
        return f" or raise {bound}"
    if most > settings.value("output_reserve"):
        return f" or raise {bound}"
    return f"; {TOKEN_BUDGET_MAX} allows no more than {number(most)}"


def _pruning(settings: Settings, caps: Caps) -> Iterator[tuple[tuple[str, ...], str]]:
    kept, protected = settings.value("sliding_window_turns"), settings.value("min_history_turns")
    if settings.value("pruner") == "sliding_window" and kept < protected:
        yield (
            ("pruner", "sliding_window_turns", "min_history_turns"),
            f"{_named(settings, 'sliding_window_turns')} is less than "
            f"{_named(settings, 'min_history_turns')}, which no pruner takes: "
            "raise sliding_window_turns or lower min_history_turns.",
        )


def _named(settings: Settings, name: str) -> str:
    """Name a setting: `keep_recent 100 (template demo v3)`; for a capped value, add the cap."""
    winner = settings[name].winner
    more = f"; {winner.reason}" if winner.capped else ""
    return f"{name} {BY_NAME[name].shown(winner.value)} ({winner.source}{more})"
