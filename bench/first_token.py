"""Measure how much later the first word arrives through Vitrine than from the provider itself.

A real provider on loopback is called in turn by a plain HTTP client, by litellm alone, and through
the app's socket. The app's time includes everything: storing the message, recording the plan,
litellm, sending the frame.
"""

import asyncio
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

import httpx

from bench.tables import milliseconds, print_table
from chatapp import env
from tests.people import Person, Tab
from tests.provider import Provider
from tests.servers import AppServer, migrated_folder

env.prepare_libraries()
import litellm  # noqa: E402 -- needs the line above, or it asks the network for prices

ROUNDS = 60
WARM = 10
QUESTION = [{"role": "user", "content": "Hello"}]


def main() -> None:
    with ExitStack() as stack:
        provider = stack.enter_context(Provider())
        server = AppServer(
            migrated_folder(Path(stack.enter_context(tempfile.TemporaryDirectory()))),
            {
                "DEFAULT_MODEL": "openai/fake",
                "OPENAI_API_KEY": "none",
                "OPENAI_API_BASE": f"{provider.url}/v1",
            },
        )
        stack.callback(server.close)
        server.start()
        tab = stack.enter_context(Person(server).tab())
        straight = stack.enter_context(httpx.Client(base_url=provider.url))
        loop = stack.enter_context(asyncio.Runner())
        measure(tab, straight, loop)


def measure(tab: Tab, straight: httpx.Client, loop: asyncio.Runner) -> None:
    ack, _ = tab.ask("warm up", agent="demo")
    address = f"{straight.base_url}/v1"
    rounds = [
        (
            through_nothing(straight),
            loop.run(through_litellm(address)),
            through_the_app(tab, ack["conversation"]),
        )
        for _ in range(WARM + ROUNDS)
    ][WARM:]
    raw, library, app = zip(*rounds, strict=True)
    rows = [
        ["straight from the provider", *figures(raw)],
        ["through litellm alone", *figures(library)],
        ["through Vitrine", *figures(app)],
        ["added by Vitrine, litellm included", *figures([a - r for r, _, a in rounds])],
        ["added by Vitrine to litellm", *figures([a - lib for _, lib, a in rounds])],
    ]
    print_table("Time to the first word", ["", "median", "p90"], rows)


def figures(times: Sequence[float]) -> list[str]:
    ordered = sorted(times)
    p90 = ordered[int(len(ordered) * 0.9)]
    return [milliseconds(statistics.median(ordered)), milliseconds(p90)]


def through_nothing(client: httpx.Client) -> float:
    body = {"model": "fake", "messages": QUESTION, "stream": True}
    started, elapsed = perf_counter(), 0.0
    with client.stream("POST", "/v1/chat/completions", json=body) as answer:
        for line in answer.iter_lines():
            if '"content"' in line and not elapsed:
                elapsed = perf_counter() - started
    return elapsed * 1000


async def through_litellm(address: str) -> float:
    started, elapsed = perf_counter(), 0.0
    chunks = await litellm.acompletion(
        model="openai/fake", messages=QUESTION, stream=True, api_base=address, api_key="none"
    )
    async for chunk in chunks:
        if chunk.choices[0].delta.content and not elapsed:
            elapsed = perf_counter() - started
    return elapsed * 1000


def through_the_app(tab: Tab, conversation: str) -> float:
    """Measure the time from the frame with the message to the frame with the first text."""
    started = perf_counter()
    ack = tab.send("Hello", conversation=conversation)
    tab.until("delta", generation=ack["generation"])
    elapsed = perf_counter() - started
    tab.until("end", generation=ack["generation"])
    return elapsed * 1000


if __name__ == "__main__":
    main()
