"""One hostile client: each attack is a coroutine, which ends after a minute at the latest.

    python -m bench.hostile_client ADDRESS ATTACK[,ATTACK...]

The client connects from 127.0.0.2, so that the server can tell it from everybody else. It reads
its cookies and a chat's ids as JSON from standard input, and prints the result of the attack.
"""

import asyncio
import json
import resource
import sys
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.chatapp.uploads.hostile_pdfs import costly

SOURCE = "127.0.0.2"
SECONDS = 15  # The seconds for which an attack holds its connections or repeats its bursts.
LONGEST = 60
REPLAYS, SOCKETS, HALVES, SENDS, LOG_INS, FILES, PANELS = 300, 3_000, 400, 100, 60, 20, 100


@dataclass
class Client:
    """The attacker: the server's address, cookies, a chat of its own, and counts of the answers."""

    address: str
    cookies: dict[str, str]
    conversation: str
    generation: str
    seen: Counter[str] = field(default_factory=Counter)

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def http(self) -> httpx.AsyncClient:
        token = next((v for name, v in self.cookies.items() if name.endswith("csrftoken")), "")
        return httpx.AsyncClient(
            base_url=self.url,
            cookies=self.cookies,
            headers={"X-CSRFToken": token, "Referer": self.url},
            transport=httpx.AsyncHTTPTransport(local_address=SOURCE, limits=UNLIMITED),
            timeout=60,
        )

    async def socket(self, **options: Any) -> ClientConnection:
        headers = {"Cookie": self.cookie, "Origin": self.url}
        return await connect(
            f"ws://{self.address}/ws/",
            additional_headers=headers,
            local_addr=(SOURCE, 0),
            open_timeout=SECONDS,
            compression=None,
            **options,
        )


UNLIMITED = httpx.Limits(max_connections=None, max_keepalive_connections=0)
Attack: TypeAlias = Callable[[Client], Awaitable[None]]


async def unread_replays(client: Client) -> None:
    """Subscribe again and again to an answer of a megabyte, and read nothing of it."""
    socket = await client.socket(max_queue=1, max_size=None)
    frame = {"type": "subscribe", "conversation": client.conversation, "after_seq": 0}
    for _ in range(REPLAYS):
        await socket.send(json.dumps({**frame, "generation": client.generation}))
        client.seen["subscribed"] += 1
    await asyncio.sleep(SECONDS)


async def many_sockets(client: Client) -> None:
    opened: list[ClientConnection] = []

    async def one() -> None:
        try:
            opened.append(await client.socket())
            client.seen["opened"] += 1
        except (OSError, TimeoutError, WebSocketException) as error:
            client.seen[f"refused: {type(error).__name__}"] += 1

    for _ in range(SOCKETS // 100):
        await asyncio.gather(*(one() for _ in range(100)))
    client.seen["still open"] = sum(socket.state.name == "OPEN" for socket in opened)
    await asyncio.sleep(SECONDS)


async def half_requests(client: Client) -> None:
    """Open requests that are never completed: half stop in the head, half in the body."""
    host, _, port = client.address.partition(":")
    head = f"POST /login HTTP/1.1\r\nHost: {client.address}\r\n"
    body = f"{head}Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\nhalf"
    writers = []
    for number in range(HALVES):
        with suppress(OSError):
            _, writer = await asyncio.open_connection(host, int(port), local_addr=(SOURCE, 0))
            writer.write((head if number % 2 else body).encode())
            writers.append(writer)
            client.seen["sent"] += 1
    await asyncio.sleep(SECONDS)


async def many_sends(client: Client) -> None:
    """Send messages in bursts, each message as the first one of a new chat."""
    async with client.http() as http:

        async def one() -> None:
            body = {"agent": "demo", "text": "Hello", "client_msg_id": str(uuid.uuid4())}
            await _count(client, http.post("/api/conversations", json=body))

        async for _ in _bursts():
            await asyncio.gather(*(one() for _ in range(SENDS)))


async def wrong_log_ins(client: Client) -> None:
    async with client.http() as http:

        async def one(number: int) -> None:
            guess = {"username": "ada", "password": f"wrong {number}"}
            await _count(client, http.post("/login", data=guess))

        async for burst in _bursts():
            for first in range(0, LOG_INS, 20):
                guesses = range(burst * LOG_INS + first, burst * LOG_INS + first + 20)
                await asyncio.gather(*map(one, guesses))


async def costly_files(client: Client) -> None:
    """Attach PDFs in bursts of twenty; each PDF is short to send and slow to read."""
    data = costly()
    async with client.http() as http:

        async def one() -> None:
            file = {"file": ("a.pdf", data, "application/pdf")}
            await _count(client, http.post("/api/attachments", files=file))

        async for _ in _bursts():
            await asyncio.gather(*(one() for _ in range(FILES)))


async def many_panels(client: Client) -> None:
    """Request the panel of a long chat in bursts: for each, the server reads and plans the chat."""
    path = f"/chat/{client.conversation}/panel"
    async with client.http() as http:
        async for _ in _bursts():
            await asyncio.gather(*(_count(client, http.get(path)) for _ in range(PANELS)))


async def _bursts() -> AsyncIterator[int]:
    """Yield the number of each burst, one every two seconds, for `SECONDS`."""
    for number in range(SECONDS // 2):
        yield number
        await asyncio.sleep(2)


async def _count(client: Client, asked: Awaitable[httpx.Response]) -> None:
    try:
        client.seen[str((await asked).status_code)] += 1
    except httpx.TransportError as error:
        client.seen[type(error).__name__] += 1


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        *(unread_replays, many_sockets, half_requests, many_sends, wrong_log_ins),
        *(costly_files, many_panels),
    )
}


async def attack(client: Client, names: list[str]) -> None:
    attacks = (asyncio.wait_for(ATTACKS[name](client), LONGEST) for name in names)
    done = await asyncio.gather(*attacks, return_exceptions=True)
    for fault in filter(None, done):
        client.seen[f"ended by {type(fault).__name__}"] += 1


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    client = Client(sys.argv[1], **json.load(sys.stdin))
    asyncio.run(attack(client, sys.argv[2].split(",")))
    print(json.dumps(client.seen))


if __name__ == "__main__":
    main()
