"""Measure what more servers cost: `python -m bench scaling`.

People chat in a cluster, spread over its servers, whose two workers write the answers. The same
streams are read through 1, 2 and 8 servers, twice. What a token costs must not grow with the number
of servers; processor time that the processes need without any answer is shown beside it.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis

from bench.processes import processor_time
from bench.streaming import UNLIMITED, Tab, dripping, somebody
from bench.streams import Run
from bench.tables import milliseconds, print_table
from tests import postgres, redis_server
from tests.servers import AppServer, migrated_folder
from tests.workers import WorkerProcess

SERVERS = (1, 2, 8) * 2
WORKERS = 2
PEOPLE, TOKENS, RATE = 24, 400, 20  # How many stream at once, and tokens a second.
IDLE_SECONDS = 10
HEAD = (
    *("servers", "servers, 1,000 tokens", "workers, 1,000 tokens", "together", "idle, a second"),
    *("to Redis, 1,000 tokens", "transactions, 1,000 tokens", "p95 gap"),
)


@dataclass(frozen=True)
class Totals:
    """What the processes have used so far: processor seconds, commands of Redis, transactions."""

    servers: float
    workers: float
    commands: int
    commits: int

    def since(self, before: "Totals") -> "Totals":
        return Totals(
            self.servers - before.servers,
            self.workers - before.workers,
            self.commands - before.commands,
            self.commits - before.commits,
        )


@dataclass(frozen=True)
class Processes:
    servers: Sequence[AppServer]
    workers: Sequence[WorkerProcess]
    bus: str

    def totals(self) -> Totals:
        database: list[Any] = self.servers[0].rows(
            "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        )
        with redis.Redis.from_url(self.bus) as client:
            commands = client.info("stats")["total_commands_processed"]
        return Totals(
            sum(map(processor_time, self.servers)),
            sum(map(processor_time, self.workers)),
            commands,
            int(database[0][0]),
        )


def main() -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ["DATABASE_URL"] = stack.enter_context(postgres.serving())
        bus = stack.enter_context(redis_server.serving(folder)).url
        drip = stack.enter_context(dripping())
        model = {"DEFAULT_MODEL": "openai/fake", "OPENAI_API_KEY": "none", "OPENAI_API_BASE": drip}
        own = {**model, **UNLIMITED, "REDIS_URL": bus, "GENERATION_EXECUTOR": "worker"}
        data_folder = migrated_folder(folder / "data")
        rows = [measured(data_folder, folder, own, count) for count in SERVERS]
    print_table(f"{PEOPLE} streams of {RATE} tokens a second, {WORKERS} workers", HEAD, rows)


def measured(data_folder: Path, folder: Path, own: dict[str, str], count: int) -> list[str]:
    with processes(data_folder, folder, own, count) as running:
        return asyncio.run(measure(running))


@contextmanager
def processes(
    data_folder: Path, folder: Path, own: dict[str, str], count: int
) -> Iterator[Processes]:
    servers = [AppServer(data_folder, own) for _ in range(count)]
    workers = [WorkerProcess(data_folder, own, folder / f"worker{n}.log") for n in range(WORKERS)]
    with ExitStack() as stack, ThreadPoolExecutor() as pool:
        both: list[AppServer | WorkerProcess] = [*servers, *workers]
        for process in both:
            stack.callback(process.close)
        list(pool.map(lambda process: process.start(), both))
        yield Processes(servers, workers, own["REDIS_URL"])


async def measure(running: Processes) -> list[str]:
    async with tabs_of(running.servers) as tabs:
        await asyncio.gather(*(tab.ask("Hello") for tab in tabs))
        before = running.totals()
        await asyncio.sleep(IDLE_SECONDS)
        idle = running.totals().since(before)
        before, began = running.totals(), time.monotonic()
        streams = await asyncio.gather(*(tab.ask(f"drip {TOKENS} at {RATE}") for tab in tabs))
        wall = time.monotonic() - began
        used = running.totals().since(before)
    run = Run(streams, used.servers + used.workers, wall)
    return row_of(len(running.servers), run, used, idle)


@asynccontextmanager
async def tabs_of(servers: Sequence[AppServer]) -> AsyncIterator[list[Tab]]:
    """Open everybody's tab, each on the next of the servers."""
    async with AsyncExitStack() as stack:
        turns = (servers[number % len(servers)] for number in range(PEOPLE))
        yield [await stack.enter_async_context(somebody(server)) for server in turns]


def row_of(count: int, run: Run, used: Totals, idle: Totals) -> list[str]:
    """Return the table's row. What the processes use without answers is no cost of a token."""
    thousands = sum(stream.tokens for stream in run.streams) / 1000
    share = run.wall / IDLE_SECONDS
    servers = (used.servers - idle.servers * share) / thousands
    workers = (used.workers - idle.workers * share) / thousands
    return [
        str(count),
        f"{servers:.3f} s",
        f"{workers:.3f} s",
        f"{servers + workers:.3f} s",
        f"{(idle.servers + idle.workers) / IDLE_SECONDS:.3f} s",
        f"{(used.commands - idle.commands * share) / thousands:.0f}",
        f"{(used.commits - idle.commits * share) / thousands:.0f}",
        milliseconds(run.p95_gap),
    ]


if __name__ == "__main__":
    main()
