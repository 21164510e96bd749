"""Find settings that contradict each other: the rule, the settings and the ways out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from history.core.settings.caps import LENGTH_MAX, NO_CAPS, TOKEN_BUDGET_MAX, Caps, is_open
from history.core.settings.resolved import ResolvedSetting, Settings
from history.core.settings.spec import STRIDE, LayerName
from history.core.settings.steps import LONGEST, follows, least_items
from history.core.words.facts import Rule


class Step(StrEnum):
    """The kinds of changes that can end a contradiction."""

    RAISE = "raise"
    RAISE_TO = "raise_to"
    RAISE_ABOVE = "raise_above"
    LOWER = "lower"
    TURN_OFF = "turn_off"
    CHOOSE_ANOTHER = "choose_another"
    CHOOSE_ALL = "choose_all"


@dataclass(frozen=True, slots=True)
class Way:
    """One change that ends a contradiction. Only RAISE_TO and RAISE_ABOVE have a `value`."""

    step: Step
    setting: str
    value: int = 0


@dataclass(frozen=True, slots=True)
class Limit:
    """A cap that rules out some of the ways to end a contradiction."""

    variable: str
    most: int


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A contradiction between the settings in `about`. Any of `ways` ends it.

    In the figures, `bound` and `causes` name some of these settings.
    """

    rule: Rule
    about: tuple[ResolvedSetting, ...]
    ways: tuple[Way, ...] = ()
    limit: Limit | None = None
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def settings(self) -> tuple[str, ...]:
        return tuple(setting.name for setting in self.about)

    @property
    def layers(self) -> frozenset[LayerName]:
        """Return the layers that supply these settings."""
        return frozenset(setting.winner.layer for setting in self.about)


def find(settings: Settings, caps: Caps = NO_CAPS) -> tuple[Contradiction, ...]:
    """Find contradictions, each with the ways out that the caps allow."""
    rules = (_summaries, _gaps, _budget, _pruning)
    return tuple(each for rule in rules for each in rule(settings, caps))


def _summaries(settings: Settings, caps: Caps) -> Iterator[Contradiction]:
    if settings.value("keep_recent") >= settings.value("trigger_at"):
        about = settings["keep_recent"], settings["trigger_at"]
        ways = Way(Step.LOWER, "keep_recent"), Way(Step.RAISE, "trigger_at")
        yield Contradiction(Rule.NOTHING_TO_SUMMARISE, about, ways)
    if settings.value("summarize") and settings.value("policy") == "none":
        about = settings["summarize"], settings["policy"]
        ways = Way(Step.TURN_OFF, "summarize"), Way(Step.CHOOSE_ANOTHER, "policy")
        yield Contradiction(Rule.NO_SUMMARY_SENT, about, ways)


def _gaps(settings: Settings, caps: Caps) -> Iterator[Contradiction]:
    """Check that no message leaves the window before its summary is due."""
    if not settings.value("summarize"):
        return
    waiting, why = _longest_wait(settings)
    causes = ["summarize", *why]
    late = [settings[name] for name in causes]
    ways = (*(Way(Step.LOWER, name) for name in why), Way(Step.TURN_OFF, "summarize"))
    size, room = least_items(settings), 2 * max(1, settings.value("length"))
    if size is not None and size < waiting:
        more = LONGEST - 1 if follows(settings[STRIDE]) else 0
        wider = Way(Step.RAISE_TO, "max_items", waiting + more)
        about = settings["max_items"], *late
        figures = {"waiting": waiting, "causes": causes}
        yield Contradiction(Rule.ITEMS_BELOW_TRIGGER, about, (wider, *ways), figures=figures)
    if settings.value("policy") == "lastN" and room < waiting:
        longer, limit = _longer(settings, -(-waiting // 2), caps)
        about = settings["length"], settings["policy"], *late
        figures = {"waiting": waiting, "causes": causes, "room": room}
        yield Contradiction(Rule.LENGTH_BELOW_TRIGGER, about, (*longer, *ways), limit, figures)


def _longer(settings: Settings, turns: int, caps: Caps) -> tuple[tuple[Way, ...], Limit | None]:
    """Return the ways to get a window of this many turns, and the cap that rules out some ways."""
    ways = Way(Step.RAISE_TO, "length", turns), Way(Step.CHOOSE_ALL, "policy")
    if caps.length is None or turns <= caps.length:
        return ways, None
    left = tuple(way for way in ways if not is_open(settings[way.setting]))
    return left, Limit(LENGTH_MAX, caps.length)


def _longest_wait(settings: Settings) -> tuple[int, tuple[str, ...]]:
    """Return how many messages may go without a summary, and the settings that decide it."""
    keep, trigger = settings.value("keep_recent"), settings.value("trigger_at")
    again = keep + (settings.value("summarize_every") or keep)
    if again > trigger:
        return again, ("keep_recent", "summarize_every")
    return trigger, ("trigger_at",)


def _budget(settings: Settings, caps: Caps) -> Iterator[Contradiction]:
    reserve, stride = settings.value("output_reserve"), settings.value("token_stride")
    for bound in ("context_window", "token_budget"):
        room = settings.value(bound)
        if room is None:
            continue
        if reserve >= room:
            about = settings["output_reserve"], settings[bound]
            limit = _limit(settings, bound, caps)
            wider = () if limit else (Way(Step.RAISE, bound),)
            ways = Way(Step.LOWER, "output_reserve"), *wider
            yield Contradiction(Rule.RESERVE_TAKES_ALL, about, ways, limit, {"bound": [bound]})
        elif stride > 1 and stride >= room - reserve:
            concerned = settings["token_stride"], settings[bound], settings["output_reserve"]
            way = Way(Step.LOWER, "token_stride")
            figures = {"bound": [bound], "room": room - reserve}
            yield Contradiction(Rule.STRIDE_TAKES_ALL, concerned, (way,), figures=figures)


def _limit(settings: Settings, bound: str, caps: Caps) -> Limit | None:
    """Return the cap that keeps the token budget from exceeding the output reserve, if one does."""
    most = caps.token_budget
    if bound != "token_budget" or most is None or not is_open(settings[bound]):
        return None
    return None if most > settings.value("output_reserve") else Limit(TOKEN_BUDGET_MAX, most)


def _pruning(settings: Settings, caps: Caps) -> Iterator[Contradiction]:
    names = "sliding_window_turns", "min_history_turns"
    window, protected = map(settings.value, names)
    if settings.value("pruner") == "sliding_window" and window < protected:
        about = tuple(settings[name] for name in ("pruner", *names))
        ways = Way(Step.RAISE, names[0]), Way(Step.LOWER, names[1])
        yield Contradiction(Rule.PRUNES_PROTECTED, about, ways)
