"""Measure what a turn costs, and how soon its text comes: `python -m bench turns`.

One visitor asks a provider that costs next to nothing (bench/drip.py) for answers of one token, one
after the other. Each turn opens a socket of its own, and every fifth begins a new chat. The server
has the first processor to itself.
"""

import asyncio
import statistics
import sys

from bench.processes import memory, processor_time
from bench.streaming import WARM_UP_SECONDS, cookies_of_visitor, serving, somebody, tab_of
from bench.streams import Stream
from bench.tables import milliseconds, print_table
from tests.servers import AppServer

TURNS, WARM, OF_A_CHAT = 300, 30, 5


def main() -> None:
    turns = next((int(argument) for argument in sys.argv[1:] if argument.isdigit()), TURNS)
    with serving() as server:
        asyncio.run(measure(server, turns))


async def measure(server: AppServer, turns: int) -> None:
    idle = memory(server)
    async with somebody(server):  # The first tab makes the server warm up.
        await asyncio.sleep(WARM_UP_SECONDS)
        cookies = await cookies_of_visitor(server)
        await ask_questions(server, cookies, WARM)
        before = processor_time(server)
        seen = await ask_questions(server, cookies, turns)
        cost = 1000 * (processor_time(server) - before) / turns
    firsts = sorted(1000 * stream.first for stream in seen)
    rows = [
        ["turns answered", str(sum(stream.tokens for stream in seen))],
        ["processor time of a turn", milliseconds(cost)],
        ["first text, median", milliseconds(statistics.median(firsts))],
        ["first text, 95% are below", milliseconds(firsts[int(len(firsts) * 0.95)])],
        ["memory before anybody comes", f"{idle:.0f} MB"],
        ["memory after the turns", f"{memory(server):.0f} MB"],
    ]
    print_table(f"{turns} turns of one token", ["", ""], rows)


async def ask_questions(server: AppServer, cookies: str, turns: int) -> list[Stream]:
    """Ask this many questions, each in a tab of its own."""
    seen: list[Stream] = []
    conversation = None
    for turn in range(turns):
        async with tab_of(server, cookies) as tab:
            tab.conversation = conversation if turn % OF_A_CHAT else None
            seen.append(await tab.ask("Hello"))
            conversation = tab.conversation
    return seen


if __name__ == "__main__":
    main()
