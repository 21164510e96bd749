"""The window's sums as a sentence, and the estimate beside what the provider reported."""

from collections.abc import Mapping
from dataclasses import dataclass

from history.core.window import WindowSums
from history.core.wording import number

UNKNOWN = "\N{EM DASH}"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of the request. `reported` is None until the provider says, or if it never does."""

    estimated: int
    counter: str
    reported: int | None = None

    @property
    def provider(self) -> str:
        return UNKNOWN if self.reported is None else number(self.reported)

    @property
    def difference(self) -> str:
        """What was reported, against the estimate: `+1.9 %`, `exact`; empty where nothing was."""
        if self.reported is None or not self.estimated:
            return ""
        percent = 100 * (self.reported - self.estimated) / self.estimated
        return f"{percent:+.1f} %".replace("-", "\N{MINUS SIGN}") if percent else "exact"

    def __str__(self) -> str:
        more = f" ({self.difference})" if self.difference else ""
        estimate = f"estimated {number(self.estimated)} ({self.counter})"
        return f"{estimate} \N{MIDDLE DOT} provider says {self.provider}{more}"


def usage_of(window: WindowSums, counter: str, reported: Mapping[str, int] | None = None) -> Usage:
    return Usage(window.sent, counter, reported.get("prompt") if reported else None)


def sums(window: WindowSums) -> str:
    """What is fixed, kept, reserved and free, adding up to the window and what is over it."""
    parts = {
        "fixed": window.sent - window.history,
        "kept": window.history,
        "reserve": window.output_reserve,
        "free": window.free,
    }
    left = " + ".join(f"{number(tokens)} {name}" for name, tokens in parts.items())
    over = f" + {number(window.over)} over" if window.over else ""
    return f"{left} = {number(window.context_window)} window{over}"
