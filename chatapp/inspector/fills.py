"""Patterns that show, without colour, what fills the window and what became of messages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fill:
    """A pattern of `size` pixels: a path on a ground. `ground` and `shape` are style names.

    A stretched pattern isn't repeated, but made as large as what it fills, so that it looks the
    same in a thin piece and in the legend. Its `size` is 1.
    """

    name: str
    ground: str
    shape: str
    path: str
    size: int = 6
    is_stretched: bool = False


SPOT = "M1.4 2.5a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0"
ACROSS, RISING = "M0 0h6v2H0z", "M0 6 6 0"
FILLS = (
    Fill("system_prompt", "strong", "mark", "M1.6 3a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0"),
    Fill("tool_schemas", "middle", "mark", "M0 0h2v6H0z"),
    Fill("summaries", "middle", "mark", ACROSS),
    Fill("reasoning", "strong", "line", RISING),
    Fill("images", "strong", "mark", "M0 0h3v3H0zM3 3h3v3H3z"),
    Fill("files", "strong", "mark", "M0 0h4v1H0zM0 3h4v1H0z"),
    Fill("calibration", "pale", "dot", SPOT, 5),
    Fill("injected", "middle", "line", "M0 6 6 0M0 0l6 6"),
    Fill("output_reserve", "pale", "stripe", "M0 1.5h4", 4),
    Fill("left-out", "pale", "stripe", RISING),
    Fill("changed", "strong-accent", "mark", "M0 0h1v.5H0z", 1, is_stretched=True),
    Fill("summarised", "middle", "dot", SPOT, 5),
    Fill("excluded", "paper", "stripe", "M1 1l6 6M7 1 1 7", 8),
)
