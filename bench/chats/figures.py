"""What is measured of one app. Of every figure, less is better."""

import asyncio
from collections.abc import Sequence

from bench.chats.app import App
from bench.processes import memory
from bench.streaming import WARM_UP_SECONDS
from bench.streams import FLAT, RATE, SECONDS, Run, Stream, at_pace, in_turn, timed

CHATS, TURNS_OF_A_CHAT = 10, 10
FLATS = 5


async def figures(app: App, counts: Sequence[int]) -> dict[str, float]:
    """Measure an app that has just started; `counts` says how many answers to stream at once."""
    idle = memory(app)
    async with app.people(1) as (ada,):
        await asyncio.sleep(WARM_UP_SECONDS)
        await in_turn(ada, "drip 5 at 0", 10)
        turns = await turns_of(app)
        after = memory(app)
        flat = await timed(app, in_turn(ada, f"drip {FLAT} at 0", FLATS))
    missing = CHATS * TURNS_OF_A_CHAT - turns.tokens + FLATS * FLAT - flat.tokens
    found = {
        "first text, ms": turns.first_text,
        "a turn of one token: processor time, ms": 1000 * turns.cpu / len(turns.streams),
        "1,000 tokens as fast as they come: processor time, s": flat.per_thousand,
        "memory before anybody comes, MB": idle,
        "memory after the turns, MB": after,
    }
    for count in counts:
        run, held = await simultaneous(app, count)
        missing += count * RATE * SECONDS - run.tokens
        found |= {
            f"{count} answers at once: first text, ms": run.first_text,
            f"{count} answers at once, 1,000 tokens: processor time, s": run.per_thousand,
            f"{count} answers at once: 95% of the gaps are below, ms": run.p95_gap,
            f"{count} answers at once: memory, MB": held,
        }
    return {**found, "tokens that never came": missing}


async def turns_of(app: App) -> Run:
    """Ask for answers of one token, one after the other, in several chats."""

    async with app.people(CHATS) as people:

        async def ask() -> list[Stream]:
            in_chats = [await in_turn(each, "drip 1 at 0", TURNS_OF_A_CHAT) for each in people]
            return [stream for in_chat in in_chats for stream in in_chat]

        return await timed(app, ask())


async def simultaneous(app: App, count: int) -> tuple[Run, float]:
    """Have `count` people stream at once; return their run, and the app's memory at its end."""
    async with app.people(count) as people:
        return await at_pace(app, people), memory(app)
