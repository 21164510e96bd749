"""A real MCP server, with tools that misbehave: over stdio, or over HTTP with `--port`."""

import argparse
import asyncio
import os
import signal
import sys

from mcp.server.mcpserver import Context, Image, MCPServer
from mcp_types import ToolAnnotations

PIXEL = bytes.fromhex("89504e470d0a1a0a")
meeting: list[asyncio.Event] = []
waiting: list[str] = []
server = MCPServer("odd", log_level="CRITICAL")


@server.tool()
def add(a: int, b: int) -> str:
    """Adds two numbers."""
    return str(a + b)


@server.tool()
def echo(text: str) -> str:
    """Returns the text that it was given."""
    return text


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def process() -> str:
    """Returns the process id of the server."""
    return str(os.getpid())


@server.tool()
async def meet() -> str:
    """Waits for a second call, and then answers both."""
    meeting.append(asyncio.Event())
    if len(meeting) == 2:
        meeting[0].set()
    await meeting[0].wait()
    return "met"


@server.tool()
async def slow(seconds: float) -> str:
    """Answers after so many seconds."""
    waiting.append("slow")
    try:
        await asyncio.sleep(seconds)
    finally:
        waiting.pop()
    return "late"


@server.tool()
def busy() -> str:
    """Names the calls that have not been answered yet."""
    return f"busy with {waiting}"


@server.tool()
async def stuck() -> str:
    """Never answers, and blocks all other calls."""
    signal.pause()
    return ""


@server.tool()
def crash() -> str:
    """Ends the server's process during the call."""
    os._exit(3)


@server.tool()
def fail() -> str:
    """Raises an error."""
    raise ValueError("the disk is full")


@server.tool()
def garbage() -> str:
    """Writes a line with a secret to standard error."""
    os.write(sys.stderr.fileno(), f"a secret: {os.environ.get('ODD_TOKEN')}\n".encode())
    return "done all the same"


@server.tool()
def huge(characters: int) -> str:
    """Returns a text of so many characters."""
    return "x" * characters


@server.tool()
def picture() -> list[str | Image]:
    """Returns a text and a picture."""
    return ["a pixel", Image(data=PIXEL, format="png")]


@server.tool()
def surroundings() -> str:
    """Returns the names of the server's environment variables."""
    return " ".join(sorted(os.environ))


@server.tool()
async def grow(ctx: Context) -> str:
    """Adds a tool to the server, and notifies the client."""
    server.add_tool(add, name="added")
    await ctx.notify_tools_changed()
    return "grown"


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int)
    options.add_argument("--crowd", type=int, default=0)
    chosen = options.parse_args()
    for number in range(chosen.crowd):
        server.add_tool(add, name=f"tool.{number}")
    if chosen.port is None:
        server.run("stdio")
    else:
        server.run("streamable-http", port=chosen.port)


if __name__ == "__main__":
    main()
