"""Steps that follow from a stable prefix, where nobody has set how far a window moves at a time.

A window that moves with every turn changes the prefix with every turn. So with a stable prefix, a
window moves by half of itself, and cuts for the token budget by a quarter of it. Values of the
environment, an address or a chat are exact: nothing is sent beyond what they allow.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from history.core.settings.caps import NO_CAPS, Caps
from history.core.settings.reduction import STABLE
from history.core.settings.resolved import ResolvedSetting, Settings, default
from history.core.settings.spec import STRIDE, LayerName
from history.core.settings.table import BY_NAME
from history.core.words.facts import Rule, fact

SOURCE = "stable prefix"
LONGEST = 10  # The longest step in turns, messages, results, images or files.
TOKENS = "token_stride"
MOST_TOKENS = 100_000
KEPT = {  # The stride of each setting that keeps the newest parts whole.
    "tool_results_keep": "results_stride",
    "images_keep": "images_stride",
    "files_keep": "files_stride",
}
ADMINISTERED = {LayerName.TEMPLATE, LayerName.SITE, LayerName.BUILT_IN}
DECIDING = frozenset(  # The settings from which the steps follow.
    {
        *("prefix", "policy", "length", "max_items", "pruner", "sliding_window_turns"),
        *("token_budget", "context_window", "output_reserve", *KEPT),
    }
)
STRIDES = frozenset({STRIDE, TOKENS, *KEPT.values()})


def in_steps(
    resolved: Mapping[str, ResolvedSetting], caps: Caps = NO_CAPS
) -> dict[str, ResolvedSetting]:
    """Return the settings with the steps that follow from the prefix, in place of earlier ones.

    No step makes a window longer than the caps allow.
    """
    plain = without_steps(resolved)
    if plain["prefix"].value != STABLE:
        return plain
    return plain | {name: _moving(plain, name, step) for name, step in _steps(plain, caps)}


def decide_steps(values: Mapping[str, object]) -> bool:
    """Whether these values may change the steps that follow; None removes a value.

    A stride among the values changes none: the step that it replaces is still shown beside it.
    """
    removed = {name for name, raw in values.items() if raw is None}
    return bool(values.keys() & DECIDING or removed & STRIDES)


def without_steps(resolved: Mapping[str, ResolvedSetting]) -> dict[str, ResolvedSetting]:
    return {name: _plain(setting) for name, setting in resolved.items()}


def with_token_step(settings: Settings) -> Settings:
    """Return the settings with the token step that fits the present output reserve."""
    if not follows(settings[TOKENS]):
        return settings
    moving = _moving(settings, TOKENS, _token_step(settings))
    return Settings({**settings.resolved, TOKENS: moving})


def follows(stride: ResolvedSetting) -> bool:
    """Whether a stride follows from the prefix, because nobody has set it."""
    return stride.winner.source == SOURCE


def is_idle(name: str, settings: Settings) -> bool:
    """Whether a setting has no effect, because there is no window that it sizes or moves."""
    if name == STRIDE:
        return not list(_windows(settings))
    return name == "length" and settings.value("policy") != "lastN"


def least_items(settings: Settings) -> int | None:
    """Return the fewest messages that a longer chat's history window holds; None without one.

    `max_items` is the most that is sent. Only steps that somebody has set go beyond it.
    """
    size: int | None = settings.value("max_items")
    if size is None or not follows(settings[STRIDE]):
        return size
    return size - int(settings.value(STRIDE)) + 1


def _steps(resolved: Mapping[str, ResolvedSetting], caps: Caps) -> Iterator[tuple[str, int]]:
    """Yield the strides that nobody has set, each with the step that follows from the prefix."""
    windows = list(_windows(resolved))
    if windows and _is_unset(resolved[STRIDE]) and all(map(_is_administered, windows)):
        yield STRIDE, _within(resolved, min(_half(each.value) for each in windows), caps)
    for keep, stride in KEPT.items():
        setting = resolved[keep]
        if setting.value and _is_unset(resolved[stride]) and _is_administered(setting):
            yield stride, _half(setting.value)
    if _is_unset(resolved[TOKENS]):
        yield TOKENS, _token_step(resolved)


def _windows(resolved: Mapping[str, ResolvedSetting]) -> Iterator[ResolvedSetting]:
    """Yield the settings with the lengths of the windows that `length_stride` moves."""
    if resolved["policy"].value == "lastN":
        yield resolved["length"]
    if resolved["max_items"].value is not None:
        yield resolved["max_items"]
    if resolved["pruner"].value == "sliding_window":
        yield resolved["sliding_window_turns"]


def _is_administered(setting: ResolvedSetting) -> bool:
    """Whether administrators or the program chose the value."""
    return setting.winner.layer in ADMINISTERED


def _is_unset(setting: ResolvedSetting) -> bool:
    """Whether no layer has a value, not even a refused or invalid one, or a what-if removes it."""
    others = (c.layer is not LayerName.BUILT_IN for c in setting.candidates)
    return setting.winner.raw is None or not any(others)


def _half(size: int) -> int:
    return max(1, min(LONGEST, (size + 1) // 2))


def _within(resolved: Mapping[str, ResolvedSetting], step: int, caps: Caps) -> int:
    cap = caps.on(resolved["length"])
    if cap is None or resolved["policy"].value != "lastN":
        return step
    length: int = resolved["length"].value
    return max(1, min(step, cap.most - max(1, length) + 1))


def _token_step(resolved: Mapping[str, ResolvedSetting]) -> int:
    window: int = resolved["context_window"].value
    reserve: int = resolved["output_reserve"].value
    budget: int = resolved["token_budget"].value or window
    return max(1, min(MOST_TOKENS, (min(window, budget) - reserve) // 4))


def _moving(resolved: Mapping[str, ResolvedSetting], name: str, step: int) -> ResolvedSetting:
    """Return a stride with this step, and the prefix's source as the reason."""
    setting, prefix = resolved[name], resolved["prefix"].winner
    reason = fact(Rule.STEPS_OF_PREFIX, source=prefix.source, variable=prefix.variable)
    was = setting.winner
    raw = None if was.raw is None else step
    winner = replace(was, source=SOURCE, raw=raw, value=step, reason=reason)
    return replace(setting, candidates=tuple(winner if c is was else c for c in setting.candidates))


def _plain(setting: ResolvedSetting) -> ResolvedSetting:
    if all(candidate.source != SOURCE for candidate in setting.candidates):
        return setting
    built_in = default(BY_NAME[setting.name])
    candidates = (
        replace(built_in, layer=c.layer, raw=c.raw and built_in.raw, outcome=c.outcome)
        if c.source == SOURCE
        else c
        for c in setting.candidates
    )
    return replace(setting, candidates=tuple(candidates))
