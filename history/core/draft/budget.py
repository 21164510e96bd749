"""Work out what the history may cost once everything else that must be sent has its tokens."""

from dataclasses import dataclass

from history.core.settings.resolved import Settings
from history.core.words.errors import CannotPlan
from history.core.words.facts import Fact, Rule, fact


@dataclass(frozen=True, slots=True)
class Budget:
    """The tokens that the history may cost: `soft` by the settings, `hard` by the context window.

    `rest` is the cost of everything else in the request; `setting` names the setting behind `soft`.
    """

    soft: int
    hard: int
    rest: int
    setting: str

    @property
    def largest_message(self) -> int:
        """The largest size of a single message if no setting limits it, in tokens."""
        return max(64, self.soft // 2)


class DoesNotFit(CannotPlan):
    """The messages that must be sent do not fit the context window."""

    kind = "too_large"


def budget_of(settings: Settings, rest: int, factor: float = 1.0, percent: int = 100) -> Budget:
    """Work out the tokens that are left for the history beside `rest`: prompt, tool schemas,
    summaries, injected texts and held messages.

    `factor` is the ratio of the model's token count to ours; `percent` of the room is used.
    """
    window, asked = settings.value("context_window"), settings.value("token_budget")
    room = min(window, asked) if asked else window
    return Budget(
        soft=_history(room, settings, rest, factor, percent),
        hard=_history(window, settings, rest, factor, percent),
        rest=rest,
        setting="token_budget" if room < window else "context_window",
    )


def does_not_fit(budget: Budget, history: int, largest: Fact, settings: Settings) -> DoesNotFit:
    """Return the error for a request that must be larger than the context window, with its
    sizes.
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
