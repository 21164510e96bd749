"""Count what turns write to the database and to Redis, also in bytes: `python -m bench weighing`.

Simulated people chat on a server that has a PostgreSQL and a Redis of its own. Unlike times, counts
and bytes do not depend on other load.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import redis

from bench.processes import memory
from bench.streaming import UNLIMITED, Tab, dripping, people
from bench.tables import print_table
from tests import data, postgres, redis_server
from tests.servers import AppServer, FreshServer, migrated_folder

SOCKETS = 200
PEOPLE, TURNS = 20, 5
TOKENS, RATE = 400, 20  # The tokens of an answer, and tokens a second.
QUESTION = "word " * 50 + f"drip {TOKENS} at {RATE}"
IDLE_SECONDS = 30
SETTLED_SECONDS = 5  # PostgreSQL updates its statistics with a delay.
COUNTS = """
    SELECT xact_commit, tup_inserted, tup_updated, tup_deleted,
           pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') FROM pg_stat_database
    WHERE datname = current_database()
"""
SIZES = """
    SELECT relname, pg_total_relation_size(oid) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


@dataclass(frozen=True)
class WrittenTotals:
    """The total written so far; `wal` and `bus` are in bytes."""

    commits: int
    rows: int
    wal: int
    bus: int


def main() -> None:
    with serving() as (server, bus):
        asyncio.run(measure(server, bus))


@contextmanager
def serving() -> Iterator[tuple[AppServer, str]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        with_pages = postgres.made("fsync=on", "synchronous_commit=on", "full_page_writes=on")
        cluster = stack.enter_context(with_pages)
        os.environ["DATABASE_URL"] = stack.enter_context(cluster.started())
        bus = stack.enter_context(redis_server.serving(folder)).url
        drip = stack.enter_context(dripping())
        model = {"DEFAULT_MODEL": "openai/fake", "OPENAI_API_KEY": "none", "OPENAI_API_BASE": drip}
        made = migrated_folder(folder / "data")
        server = FreshServer(made, {**model, **UNLIMITED, "REDIS_URL": bus})
        stack.callback(server.close)
        server.start()
        yield server, bus


async def measure(server: AppServer, bus: str) -> None:
    async with people(server, 1) as (ada,):
        await ada.ask("Hello")
        alone = memory(server)
        async with people(server, SOCKETS):
            each = 1000 * (memory(server) - alone) / SOCKETS
    print(f"{SOCKETS} tabs that do nothing: {each:.0f} kB each")
    async with people(server, PEOPLE) as tabs:
        await asyncio.gather(*(tab.ask("Hello") for tab in tabs))
        idle = await idling(server, bus)
        small = sizes(server)
        before = written(server, bus)
        began = time.monotonic()
        await asyncio.gather(*map(chat, tabs))
        took = time.monotonic() - began
        after = written(server, bus)
        grown = {name: size - small.get(name, 0) for name, size in sizes(server).items()}
    print_rows(before, after, grown, took)
    print(f"A server that writes no answer: {idle:.1f} transactions a second, in the above too")


async def idling(server: AppServer, bus: str) -> float:
    """Return the transactions a second of a server whose tabs are idle."""
    before, began = written(server, bus), time.monotonic()
    await asyncio.sleep(IDLE_SECONDS)
    return (written(server, bus).commits - before.commits) / (time.monotonic() - began)


async def chat(tab: Tab) -> None:
    for _ in range(TURNS):
        await tab.ask(QUESTION)


def print_rows(
    before: WrittenTotals, after: WrittenTotals, grown: dict[str, int], took: float
) -> None:
    turns = PEOPLE * TURNS
    events = grown.pop("history_generationevent", 0)
    kept = sum(grown.values())
    print_table(
        f"{turns} turns of 50 words and {TOKENS} tokens, {PEOPLE} at once, in {took:.0f} s",
        ["a turn", ""],
        [
            ["transactions", f"{(after.commits - before.commits) / turns:.1f}"],
            ["rows written", f"{(after.rows - before.rows) / turns:.1f}"],
            ["written to the log of PostgreSQL", kilobytes((after.wal - before.wal) / turns)],
            ["kept", kilobytes(kept / turns)],
            ["event log, kept for a day", kilobytes(events / turns)],
            ["to Redis", kilobytes((after.bus - before.bus) / turns)],
        ],
    )
    largest = sorted(grown.items(), key=lambda each: -each[1])[:8]
    print_table("Kept, by table", ["", ""], [[n, kilobytes(size / turns)] for n, size in largest])


def written(server: AppServer, bus: str) -> WrittenTotals:
    time.sleep(SETTLED_SECONDS)
    rows: list[Any] = server.rows(COUNTS)
    commits, inserted, updated, deleted, wal = map(int, rows[0])
    with redis.Redis.from_url(bus) as client:
        sent = client.info("stats")["total_net_input_bytes"]
    return WrittenTotals(commits, inserted + updated + deleted, wal, sent)


def sizes(server: AppServer) -> dict[str, int]:
    """Return each table's bytes with its indexes, without dead rows."""
    with psycopg.connect(
        data.variables(server.folder)["DATABASE_URL"], autocommit=True
    ) as database:
        database.execute("VACUUM FULL")
    return dict(server.rows(SIZES))


def kilobytes(size: float) -> str:
    return f"{size / 1000:.1f} kB"


if __name__ == "__main__":
    main()
