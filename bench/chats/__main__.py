"""Compare Vitrine with other chat apps: `python -m bench chats`.

Each app gets its answers from the same provider, which costs next to nothing (bench/drip.py). Its
server has the first processor to itself; the clients and the provider share the others. Each app
starts anew for each of three runs, in turn with the other apps; the table has the medians.

The apps do not do the same work. Vitrine stores everything before it is shown: the message, the
request, each piece of the answer. Open WebUI stores the message, and the answer once it is
complete. Chainlit has no data layer here, and stores nothing.

`make bench` installs Chainlit in an environment of its own; otherwise the variable CHAINLIT names
the Python of an environment that has it. OPEN_WEBUI names one that has Open WebUI, which is too
large to install in passing. An app that is not installed is left out, and named below the table.
"""

import asyncio
import statistics
import sys
from collections.abc import Sequence

from bench.chats.app import App
from bench.chats.chainlit import Chainlit
from bench.chats.figures import figures
from bench.chats.open_webui import OpenWebUI
from bench.chats.vitrine import Vitrine
from bench.streaming import pinned
from bench.streams import RATE, SECONDS
from bench.tables import print_table

APPS: tuple[type[App], ...] = (Vitrine, Chainlit, OpenWebUI)
COUNTS = (50, 100, 200)
RUNS = 3


def main() -> None:
    counts = [int(argument) for argument in sys.argv[1:] if argument.isdigit()] or COUNTS
    titles = {app: app.title() for app in APPS}
    measured = {app: title for app, title in titles.items() if title}
    runs = [{app: run_of(app, counts) for app in measured} for _ in range(RUNS)]
    medians = [median([run[app] for run in runs]) for app in measured]
    title = f"Beside other chat apps (at once: {RATE} tokens a second, for {SECONDS} s)"
    print_table(title, ["", *measured.values(), "ahead of Vitrine"], rows(medians, [*measured]))
    for app in APPS:
        if app not in measured:
            print(f"{app.name}: not installed here.")


def run_of(app: type[App], counts: Sequence[int]) -> dict[str, float]:
    with pinned(app.serving) as running:
        return asyncio.run(figures(running, counts))


def median(runs: Sequence[dict[str, float]]) -> dict[str, float]:
    return {label: statistics.median(run[label] for run in runs) for label in runs[0]}


def rows(medians: Sequence[dict[str, float]], apps: Sequence[type[App]]) -> list[list[str]]:
    """Return a row for each figure; the last cell names the apps whose figure is below the
    first app's.
    """
    ours = medians[0]
    table = []
    for label in ours:
        values = [each[label] for each in medians]
        ahead = [app.name for app, value in zip(apps, values, strict=True) if value < ours[label]]
        table.append([label, *map(rounded, values), ", ".join(ahead)])
    return table


def rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


if __name__ == "__main__":
    main()
