"""Measure what streaming costs: `python -m bench streaming`.

Many people, each with a chat of their own, ask a provider that costs next to nothing
(bench/drip.py). The server has the first processor to itself; the clients and the provider share
the others. A run holds if 95 of 100 gaps between two frames of a stream are under 200 ms.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    closing,
    contextmanager,
)
from pathlib import Path
from typing import Any, TypeVar

import httpx
from websockets.asyncio.client import ClientConnection, connect

from bench.processes import memory
from bench.streams import FLAT, RATE, SECONDS, Stream, at_pace, in_turn, timed, under_way
from bench.tables import milliseconds, print_table
from tests.servers import AppServer, FreshServer, migrated_folder

T = TypeVar("T")
MOST_GAP = 200  # The longest acceptable gap between frames, in milliseconds.
TURNS = 100
WARM_UP_SECONDS = 6  # Seconds to wait after opening a tab.
UNLIMITED = dict.fromkeys(
    (
        *("SENDS_PER_MINUTE", "SENDS_PER_MINUTE_PER_ADDRESS", "OPEN_ANSWERS"),
        *("OPEN_ANSWERS_PER_PERSON", "BYTES_PER_DAY", "TOKENS_PER_DAY", "SOCKETS_PER_PERSON"),
        *("SOCKETS_PER_ADDRESS", "SOCKETS_PER_MINUTE", "FRAMES_PER_SECOND", "VISITORS_PER_HOUR"),
    ),
    "0",
)


class Tab:
    """The tab of one person: a socket that asks and receives answers."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.conversation: str | None = None

    async def ask(self, text: str) -> Stream:
        """Send a message, and read its answer to the end."""
        where = {"conversation": self.conversation} if self.conversation else {"agent": "demo"}
        message = {"type": "send", "text": text, "client_msg_id": str(uuid.uuid4()), **where}
        seen = Stream()
        await self.socket.send(json.dumps(message))
        async for frame in self._frames():
            if frame["kind"] == "end":
                return seen
            if frame["kind"] == "delta":
                seen.receive(frame["data"]["text"])
        raise AssertionError("the socket ended")

    async def _frames(self) -> AsyncIterator[dict[str, Any]]:
        async for text in self.socket:
            frame: dict[str, Any] = json.loads(text)
            if frame["type"] == "ack":
                self.conversation = frame["conversation"]
            elif frame["type"] == "event":
                yield frame
            elif frame["type"] in {"error", "reload"}:
                raise AssertionError(frame)


def main() -> None:
    counts = [int(number) for number in sys.argv[1:] if number.isdigit()] or [50, 100, 200, 400]
    with serving() as server:
        asyncio.run(measure(server, counts))


def serving() -> AbstractContextManager[AppServer]:
    return pinned(vitrine)


@contextmanager
def pinned(start: Callable[[Path, str], AbstractContextManager[T]]) -> Iterator[T]:
    """Run the provider, and a server that is started with a folder and the provider's address;
    leave all processors but the first to the clients.
    """
    processors = sorted(os.sched_getaffinity(0))
    with ExitStack() as stack:
        stack.callback(os.sched_setaffinity, 0, processors)
        os.sched_setaffinity(0, processors[:1])
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        drip = stack.enter_context(dripping())
        server = stack.enter_context(start(folder, drip))
        os.sched_setaffinity(0, processors[1:] or processors)
        yield server


@contextmanager
def vitrine(folder: Path, provider: str) -> Iterator[AppServer]:
    with closing(FreshServer(migrated_folder(folder), environment(provider) | added())) as server:
        server.start()
        yield server


def environment(provider: str) -> dict[str, str]:
    """Return variables for an app without limits that gets its models from this provider."""
    model = {"DEFAULT_MODEL": "openai/fake", "OPENAI_API_KEY": "none", "OPENAI_API_BASE": provider}
    return {**model, **UNLIMITED}


def added() -> dict[str, str]:
    """Return the app's additional variables, given as NAME=value on the command line."""
    pairs = (argument.partition("=") for argument in sys.argv[1:] if "=" in argument)
    return {name: value for name, _, value in pairs}


@contextmanager
def dripping() -> Iterator[str]:
    """Run the provider; yield its address."""
    others = sorted(os.sched_getaffinity(0))
    command = [sys.executable, "-m", "bench.drip"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        os.sched_setaffinity(process.pid, set(range(os.cpu_count() or 1)) - set(others) or others)
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.kill()


async def measure(server: AppServer, counts: list[int]) -> None:
    idle = memory(server)
    async with people(server, 1) as (ada,):
        await asyncio.sleep(WARM_UP_SECONDS)
        await in_turn(ada, "drip 5 at 0", 10)
        warm = memory(server)
        turns = await timed(server, in_turn(ada, "Hello", TURNS))
        flat = await timed(server, in_turn(ada, f"drip {FLAT} at 0", 1))
    rows = [["first text, median", milliseconds(turns.first_text)]]
    rows += [["a turn, processor time", milliseconds(1000 * turns.cpu / TURNS)]]
    rows += [["1,000 tokens as fast as they come, processor time", f"{flat.per_thousand:.3f} s"]]
    rows += [["memory before anybody comes", f"{idle:.0f} MB"]]
    rows += [["memory when warm", f"{warm:.0f} MB"]]
    print_table("One person", ["", ""], rows)
    held = [await hold(server, count) for count in counts]
    head = ["streams", "p95 gap", "first text", "CPU s per 1,000 tokens", "under way", "memory", ""]
    print_table(f"Streams of {RATE} tokens a second", head, held)


async def hold(server: AppServer, count: int) -> list[str]:
    """Have `count` people stream at once; return a row of the table with their figures."""
    async with people(server, count) as tabs:
        run, middle = await at_pace(server, tabs), await under_way(server, tabs)
    whole = all(stream.tokens == RATE * SECONDS for stream in run.streams)
    verdict = "held" if run.p95_gap < MOST_GAP and whole else "not held"
    gap, first = milliseconds(run.p95_gap), milliseconds(run.first_text)
    costs = [f"{run.per_thousand:.3f}", f"{middle:.3f}"]
    return [str(count), gap, first, *costs, f"{memory(server):.0f} MB", verdict]


@asynccontextmanager
async def people(server: AppServer, count: int) -> AsyncIterator[list[Tab]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(somebody(server)) for _ in range(count)]


@asynccontextmanager
async def somebody(server: AppServer) -> AsyncIterator[Tab]:
    """Act as a new visitor, and open a tab."""
    async with tab_of(server, await cookies_of_visitor(server)) as tab:
        yield tab


async def cookies_of_visitor(server: AppServer) -> str:
    """Act as a new visitor; return the header with the cookies."""
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        await http.get("/chat")
        headers = {"X-CSRFToken": http.cookies["csrftoken"], "Referer": server.url}
        await http.post("/visitor", headers=headers)
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in http.cookies.jar)


@asynccontextmanager
async def tab_of(server: AppServer, cookies: str) -> AsyncIterator[Tab]:
    address = f"ws://{server.address}/ws/"
    origin: Any = server.url
    async with connect(
        address,
        additional_headers={"Cookie": cookies},
        origin=origin,
        max_size=None,
        open_timeout=60,
        ping_interval=None,
        compression=None,
    ) as socket:
        yield Tab(socket)


if __name__ == "__main__":
    main()
