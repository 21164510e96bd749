"""A provider that costs next to nothing: `python -m bench.drip` prints its port and serves.

It speaks OpenAI's streaming protocol. It answers "drip 200 at 20" with 200 tokens at 20 tokens a
second; a rate of 0 means as fast as the client reads. It answers anything else with one token.
"""

import asyncio
import json
import re
from contextlib import suppress

ASKED = re.compile(rb"drip (\d+) at (\d+)")
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    b"Transfer-Encoding: chunked\r\nx-request-id: drip\r\n\r\n"
)
AT_ONCE = 50  # Tokens in one write if the rate is 0.


def event(delta: dict[str, str], finish: str | None = None) -> bytes:
    """Return a server-sent event as a chunk of HTTP."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "fake",
        "choices": [choice],
    }
    return chunk(b"data: " + json.dumps(body).encode() + b"\n\n")


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


TOKEN = event({"content": "token "})
END = event({}, "stop") + chunk(b"data: [DONE]\n\n") + chunk(b"")


async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests on one connection, one after the other."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = LENGTH.search(head)
            body = await reader.readexactly(int(length[1]) if length else 0)
            *_, newest = ASKED.findall(body) or [(b"1", b"0")]
            writer.write(HEAD)
            await drip(writer, *map(int, newest))
            writer.write(END)
    writer.close()


async def drip(writer: asyncio.StreamWriter, tokens: int, rate: int) -> None:
    """Write each token at its planned time, so that a delay does not move the later tokens."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    for number in range(0, tokens, 1 if rate else AT_ONCE):
        if rate:
            await asyncio.sleep(max(0.0, begun + number / rate - loop.time()))
        writer.write(TOKEN * (1 if rate else min(AT_ONCE, tokens - number)))
        await writer.drain()


async def main() -> None:
    server = await asyncio.start_server(serve_one, "127.0.0.1", 0, backlog=1_000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
