"""The panel's zone on the window: a bar for all of it, and an enlarged bar for what is sent."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from chatapp.inspector.zone import ShownRecord, Zone
from history.core.plan.window import WindowPart, WindowSums
from history.services.explain.window import BEYOND_BUDGET, RequestLimit, beyond_budget

WIDTH = 100  # The width of both bars, in percent.
SENT = (
    *("system_prompt", "tool_schemas", "summaries", "injected"),
    *("history", "reasoning", "images", "files", "calibration"),
)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle, with positions in percent of the width. `name` selects colour and pattern."""

    name: str
    tokens: int
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Bars:
    """The two bars. `limit` is where the window ends; it is None if everything fits."""

    window: tuple[Rect, ...]
    sent: tuple[Rect, ...]
    limit: float | None

    @property
    def zoom(self) -> str:
        """The SVG points of the shape that links the sent part of the bar to its enlarged bar."""
        start = self.window[0]
        return f"{start.x},0 {start.x + start.width},0 {WIDTH},{WIDTH} 0,{WIDTH}"


def bars(window: WindowSums, beyond: int = 0) -> Bars:
    """Draw the window; its last `beyond` tokens are those that a token budget leaves unused."""
    parts = {part.name: part for part in window.parts()}
    whole = window.context_window + window.over
    total = WindowPart("sent", window.sent, 0)
    free = WindowPart("free", window.free - beyond, 0)
    rest = [free, WindowPart(BEYOND_BUDGET, beyond, 0)] if beyond else [free]
    return Bars(
        window=tuple(_row([total, parts["output_reserve"], *rest], whole)),
        sent=tuple(_row([parts[name] for name in SENT if name in parts], window.sent)),
        limit=round(WIDTH * window.context_window / whole, 2) if window.over else None,
    )


def filled(limit: RequestLimit, window: Bars) -> tuple[Rect, ...]:
    """Draw how far a request fills what it may have: the window or, if there is a budget, that."""
    if limit.budget is None:
        return window.window
    free = max(0, limit.tokens - limit.sent)
    parts = WindowPart("sent", limit.sent, 0), WindowPart("free", free, 0)
    return tuple(_row(parts, limit.sent + free))


def _row(parts: Iterable[WindowPart], whole: int) -> Iterator[Rect]:
    x = 0.0
    for part in parts:
        width = WIDTH * part.tokens / whole if whole else 0
        yield Rect(part.name, part.tokens, round(x, 2), round(width, 2))
        x += width


def _zone(panel: ShownRecord) -> Bars:
    return bars(panel.plan.window, beyond_budget(panel.plan))


WINDOW = Zone("window", _("Window"), _("where the tokens go"), _zone)
