"""Measure whether a long load costs more and more: `python -m bench.lasting 60` takes 60 minutes.

Many people ask for answers of a minute, one after the other, so that almost all stream at any time.
It is not part of `make bench`, because it takes so long.
"""

import asyncio
import sys
from collections.abc import Iterator
from itertools import pairwise
from time import perf_counter
from typing import NamedTuple

from bench.processes import memory, processor_time
from bench.streaming import Tab, people, serving
from bench.streams import RATE, Stream
from bench.tables import milliseconds, print_table
from tests.servers import AppServer

PEOPLE, MINUTES, ANSWER_SECONDS = 300, 60, 60
EVERY_SECONDS = 300  # Seconds between two rows of the table.


class Look(NamedTuple):
    """What had been used, and which answers had ended, at a moment."""

    time: float
    cpu: float
    megabytes: float
    answers: int


def main() -> None:
    minutes = next((int(each) for each in sys.argv[1:] if each.isdigit()), MINUTES)
    with serving() as server:
        asyncio.run(measure(server, 60 * minutes))


async def measure(server: AppServer, seconds: float) -> None:
    streams: list[Stream] = []
    end = perf_counter() + seconds
    async with people(server, PEOPLE) as tabs, asyncio.TaskGroup() as work:
        for number, tab in enumerate(tabs):
            pause = number / len(tabs) * ANSWER_SECONDS
            work.create_task(ask_until(end, pause, tab, streams))
        looks = [look(server, streams)]
        while (left := end - perf_counter()) > 1:
            await asyncio.sleep(min(EVERY_SECONDS, left))
            looks.append(look(server, streams))
    head = ["minutes", "memory", "processor", "answers", "95% of the gaps are below", "cut short"]
    print_table(f"{PEOPLE} answers of {RATE} tokens a second", head, list(rows(looks, streams)))


async def ask_until(end: float, pause: float, tab: Tab, streams: list[Stream]) -> None:
    await asyncio.sleep(pause)
    while perf_counter() < end:
        streams.append(await tab.ask(f"drip {RATE * ANSWER_SECONDS} at {RATE}"))


def look(server: AppServer, streams: list[Stream]) -> Look:
    return Look(perf_counter(), processor_time(server), memory(server), len(streams))


def rows(looks: list[Look], streams: list[Stream]) -> Iterator[list[str]]:
    for before, after in pairwise(looks):
        ended = streams[before.answers : after.answers]
        gaps = sorted(gap for stream in ended for gap in stream.gaps)
        share = (after.cpu - before.cpu) / (after.time - before.time)
        yield [
            f"{(after.time - looks[0].time) / 60:.0f}",
            f"{after.megabytes:.0f} MB",
            f"{share:.0%}",
            str(len(ended)),
            milliseconds(1000 * gaps[int(len(gaps) * 0.95)]) if gaps else "",
            str(sum(stream.tokens != RATE * ANSWER_SECONDS for stream in ended)),
        ]


if __name__ == "__main__":
    main()
