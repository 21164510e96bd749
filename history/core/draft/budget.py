"""Work out how many tokens are left for the history after everything else that must be sent."""

from dataclasses import dataclass

from history.core.settings.resolved import Settings
from history.core.words.errors import CannotPlan
from history.core.words.facts import Fact, Rule, fact


@dataclass(frozen=True, slots=True)
class Budget:
    """The most tokens that the history may cost: `soft` by the settings, `hard` by the context
    window.

    `rest` is what everything else in the request costs; `setting` names the setting that decides
    `soft`.
    """

    soft: int
    hard: int
    rest: int
    setting: str

    @property
    def largest_message(self) -> int:
        """Return the most tokens that a single message may have if no setting limits it."""
        return max(64, self.soft // 2)


class DoesNotFit(CannotPlan):
    """The messages that must be sent do not fit into the context window."""

    kind = "too_large"


def budget_of(settings: Settings, rest: int, factor: float = 1.0, percent: int = 100) -> Budget:
    """Return the history's budget. `rest` are the tokens of everything else: the prompt, tool
    schemas, summaries, injected texts and held messages.

    `factor` is the ratio of the model's token count to ours. Only `percent` of the room may be
    used.
    """
    window, budget = settings.value("context_window"), settings.value("token_budget")
    room = min(window, budget) if budget else window
    return Budget(
        soft=_history(room, settings, rest, factor, percent),
        hard=_history(window, settings, rest, factor, percent),
        rest=rest,
        setting="token_budget" if room < window else "context_window",
    )


def does_not_fit(budget: Budget, history: int, largest: Fact, settings: Settings) -> DoesNotFit:
    """Return the error, with its sizes, for a request that cannot be made small enough for the
    context window.
    """
    figures = {
        "over": history - budget.hard,
        "rest": budget.rest,
        "history": history,
        "largest": largest.as_dict(),
        "window": settings.value("context_window"),
        "reserve": settings.value("output_reserve"),
    }
    return DoesNotFit(fact(Rule.DOES_NOT_FIT, **figures))


def _history(room: int, settings: Settings, rest: int, factor: float, percent: int) -> int:
    free = room - settings.value("output_reserve")
    return int(free * percent / 100 / factor) - rest
