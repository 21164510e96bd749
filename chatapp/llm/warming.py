"""Load what an answer needs, above all litellm, while the first person is still typing.

A server that nobody uses does not load it, which saves 3 s of start-up and most of its memory.
"""

import asyncio
import gc
import logging
import socket
from functools import partial
from threading import Thread

from chatapp.llm.client import close_clients
from chatapp.llm.litellm_internals import ONCE
from chatapp.llm.litellm_setup import litellm, nothing_collected
from chatapp.llm.request import LlmRequest
from history.tokens import measure

logger = logging.getLogger(__name__)
MESSAGES = [{"role": "user", "content": "Hello"}]
_begun: list[Thread] = []


def begin(*, calls: bool = True) -> None:
    """Begin to load the libraries in a thread, unless that has begun already.

    Without `calls`, load only what counts tokens: then another process calls the models.
    """
    if not _begun:
        work = warm_up if calls else partial(measure, "warm")
        _begun.append(Thread(target=work, name="warm-up", daemon=True))
        _begun[0].start()


def settled() -> None:
    """Wait until loading has ended, if it has begun.

    A process that exits while litellm is being imported may hang at the import lock.
    """
    for thread in _begun:
        thread.join(10)


def warm_up() -> None:
    """Import and load all that the first model call and the first count of tokens need."""
    with nothing_collected():
        measure("warm")
        litellm()
        asyncio.run(_call_nobody())
    # Without this, the next garbage collection would stop everybody for 0.4 s, and find nothing.
    gc.freeze()


async def _call_nobody() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        # After the block, the port is closed, so that it refuses connections.
        port = server.getsockname()[1]
    body = LlmRequest("openai/warm-up", MESSAGES).body()
    address = f"http://127.0.0.1:{port}/v1"
    try:
        await litellm().acompletion(**body, **ONCE, api_base=address, api_key="none")
    except Exception as error:
        logger.debug("Warmed up: %s", type(error).__name__)
    await close_clients()
