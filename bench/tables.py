"""Times and tables that every measurement shares."""

import statistics
from collections.abc import Callable, Sequence
from time import perf_counter


def median_ms(action: Callable[[], object], runs: int) -> float:
    """Return the median milliseconds of several runs. If there are several, an extra first run is
    not counted."""
    if runs > 1:
        action()
    times = []
    for _ in range(runs):
        started = perf_counter()
        action()
        times.append((perf_counter() - started) * 1000)
    return statistics.median(times)


def print_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table, ready to be pasted."""
    print(f"\n## {title}\n")
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(row)} |")
    print(flush=True)


def milliseconds(value: float | None) -> str:
    if value is None:
        return "not run"
    return f"{value:,.2f} ms" if value < 1000 else f"{value / 1000:,.2f} s"
