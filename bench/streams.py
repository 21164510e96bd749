"""The answers that a measurement's people receive, whatever app streams them."""

import asyncio
import statistics
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Protocol

from bench.processes import Measured, processor_time

RATE, SECONDS = 20, 8  # The pace of a stream in tokens a second, and how long it lasts.
# Seconds until all answers are under way, for which they are measured, and that they last.
BEGINNING, MIDDLE, WHOLE = 8, 10, 20
FLAT = 2_000  # The tokens of an answer that is sent as fast as possible.


@dataclass
class Stream:
    """One answer as one person received it: seconds from the question until its first text, and
    between frames.
    """

    first: float = 0.0
    gaps: list[float] = field(default_factory=list)
    tokens: int = 0
    begun: float = field(default_factory=perf_counter)
    newest: float = 0.0

    def receive(self, text: str) -> None:
        now = perf_counter()
        if self.tokens:
            self.gaps.append(now - self.newest)
        else:
            self.first = now - self.begun
        self.newest = now
        self.tokens += text.count("token")


@dataclass(frozen=True)
class Run:
    """Several simultaneous streams, and the server's processor seconds and elapsed seconds."""

    streams: list[Stream]
    cpu: float
    wall: float

    @property
    def tokens(self) -> int:
        return sum(stream.tokens for stream in self.streams)

    @property
    def per_thousand(self) -> float:
        return 1000 * self.cpu / max(1, self.tokens)

    @property
    def p95_gap(self) -> float:
        gaps = sorted(gap for stream in self.streams for gap in stream.gaps)
        return 1000 * gaps[int(len(gaps) * 0.95)] if gaps else 0.0

    @property
    def first_text(self) -> float:
        begun = [stream.first for stream in self.streams if stream.tokens]
        return 1000 * statistics.median(begun) if begun else 0.0


class Person(Protocol):
    """Somebody with a tab of an app."""

    async def ask(self, text: str) -> Stream:
        """Send a message, and read its answer to the end."""


async def at_pace(server: Measured, people: Sequence[Person], seconds: int = SECONDS) -> Run:
    """Have each person start a stream, all within half a second."""

    async def ask(number: int, person: Person) -> Stream:
        await asyncio.sleep(number / len(people) / 2)
        return await person.ask(f"drip {RATE * seconds} at {RATE}")

    return await timed(server, asyncio.gather(*(ask(*each) for each in enumerate(people))))


async def under_way(server: Measured, people: Sequence[Person]) -> float:
    """Return the server's processor seconds for 1,000 tokens while each person has an answer at
    pace under way, without what beginning and ending them costs.
    """

    async def ask(number: int, person: Person) -> Stream:
        await asyncio.sleep(number / len(people))
        return await person.ask(f"drip {RATE * WHOLE} at {RATE}")

    async def used() -> float:
        await asyncio.sleep(BEGINNING)
        cpu, begun = processor_time(server), perf_counter()
        await asyncio.sleep(MIDDLE)
        tokens = RATE * len(people) * (perf_counter() - begun)
        return 1000 * (processor_time(server) - cpu) / tokens

    answers = asyncio.gather(*(ask(*each) for each in enumerate(people)))
    per_thousand = await used()
    await answers
    return per_thousand


async def in_turn(person: Person, text: str, times: int) -> list[Stream]:
    return [await person.ask(text) for _ in range(times)]


async def timed(server: Measured, asked: Awaitable[list[Stream]]) -> Run:
    cpu, wall = processor_time(server), perf_counter()
    streams = await asked
    return Run(streams, processor_time(server) - cpu, perf_counter() - wall)
