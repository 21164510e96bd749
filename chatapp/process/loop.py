"""The server's event loop, as its other threads reach it. Commands have none, and no viewers."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec

P = ParamSpec("P")
_loop: asyncio.AbstractEventLoop | None = None


def serve_here() -> None:
    """Remember the loop, from the loop itself, at the start."""
    global _loop  # noqa: PLW0603 -- the process has one
    _loop = asyncio.get_running_loop()


def call(function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Call a function soon, in the loop's thread."""
    if _loop is not None and not _loop.is_closed():
        _loop.call_soon_threadsafe(lambda: function(*args, **kwargs))
