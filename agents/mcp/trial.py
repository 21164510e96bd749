"""One connection to a server, made and ended: what it answers, without waiting for a turn."""

import asyncio

from agents.mcp.config import ServerConfig
from agents.mcp.session import Report, Session


async def tried(config: ServerConfig) -> Report:
    """The first thing that becomes of it: a listing, or why there is none."""
    first: asyncio.Future[Report] = asyncio.get_running_loop().create_future()

    async def keep(report: Report) -> None:
        if not first.done():
            first.set_result(report)

    session = Session(config, keep)
    running = asyncio.create_task(session.run())
    try:
        return await first
    finally:
        session.stop()
        await running
