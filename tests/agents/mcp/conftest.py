import asyncio
import os
import sys
from contextlib import asynccontextmanager, suppress

import pytest

from agents.mcp.config import ServerConfig
from agents.mcp.session import Session
from tests.patience import PATIENCE
from tests.ports import free_port
from tests.servers import ROOT

PROGRAM = (sys.executable, str(ROOT / "tests" / "mcp_server.py"))
SECRET = "only-for-the-server"


class Held:
    """A running session, which keeps all of its reports."""

    def __init__(self, config):
        self.reports = []
        self._news = asyncio.Condition()
        self.session = Session(config, self._keep)

    async def _keep(self, report):
        async with self._news:
            self.reports.append(report)
            self._news.notify_all()

    async def told(self, condition):
        """Return the first report that meets the condition; wait for one if necessary."""
        async with self._news, asyncio.timeout(PATIENCE):
            await self._news.wait_for(lambda: any(map(condition, self.reports)))
        return next(filter(condition, self.reports))

    async def call(self, tool, arguments="{}"):
        return await self.session.call(tool, arguments)


@asynccontextmanager
async def holding(config):
    held = Held(config)
    running = asyncio.create_task(held.session.run())
    try:
        yield held
    finally:
        held.session.stop()
        await running


def child_config(*options, **changes):
    kept = {name: os.environ[name] for name in ("PATH", "HOME")}
    values = {"environment": {**kept, "ODD_TOKEN": SECRET}, "timeout": PATIENCE} | changes
    return ServerConfig("odd", "Odd", command=(*PROGRAM, *options), **values)


@asynccontextmanager
async def served_at(port):
    """Run a server at an address during the block; yield how to reach it."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM, "--port", str(port), stderr=asyncio.subprocess.DEVNULL
    )
    try:
        await _answers(port)
        yield ServerConfig("odd", "Odd", url=f"http://127.0.0.1:{port}/mcp", timeout=PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _answers(port):
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return await writer.wait_closed()
            await asyncio.sleep(0.05)


@pytest.fixture(params=["stdio", "http"])
async def config(request):
    """Run each test twice with the same server: as a child process, and at an address."""
    if request.param == "stdio":
        yield child_config()
    else:
        async with served_at(free_port()) as found:
            yield found
