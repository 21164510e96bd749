"""Load what an answer needs, above all litellm, while the first person is still typing.

A server that nobody uses does not load it, which saves 3 s of start-up and most of its memory. Nor
does one whose agents all have the offline model, which answers without litellm.
"""

import asyncio
import gc
import logging
import socket
from collections.abc import Callable
from itertools import chain
from threading import Thread, Timer

from agents.choice import selectable
from agents.models import AgentTemplate
from chatapp.databases.refusals import refusal_in
from chatapp.databases.threads import in_database
from chatapp.llm.catalogue import DEMO_MODEL
from chatapp.llm.client import close_clients
from chatapp.llm.litellm_internals import ONCE
from chatapp.llm.litellm_setup import litellm, nothing_collected
from chatapp.llm.request import LlmRequest
from history.tokens import measure

logger = logging.getLogger(__name__)
MESSAGES = [{"role": "user", "content": "Hello"}]
PAGE_SECONDS = 1.0  # A page, its styles and its scripts have arrived by then.
_begun: dict[Callable[[], None], Thread] = {}


async def begin(*, calls: bool = True) -> None:
    """Begin to load the libraries in a thread, unless that has begun already.

    Without `calls`, load only what counts tokens: then another process calls the models.
    """
    if warm_up in _begun:
        return
    try:
        work = warm_up if calls and await in_database(_asks_providers) else _count
    except Exception as error:
        if not refusal_in(error):
            raise
        return
    if work not in _begun:
        _begun[work] = Thread(target=work, name="warm-up", daemon=True)
        _begun[work].start()


def count_soon() -> None:
    """Load what counts tokens, shortly after a page for a new chat, so that the page comes first.
    Opening a socket would do so, too, but a new visitor has none before the first message, for
    which tokens are counted.
    """
    if not _begun:
        _begun[_count] = timer = Timer(PAGE_SECONDS, _count)
        timer.daemon = True
        timer.start()


def _asks_providers() -> bool:
    """Return whether any agent may have another model than the offline one."""
    models = chain.from_iterable(map(selectable, AgentTemplate.objects.all()))
    return any(model != DEMO_MODEL for model in models)


def _count() -> None:
    measure("warm")


def settled() -> None:
    """Wait until loading has ended, if it has begun, but not for ever.

    A process that exits while litellm is being imported may hang at the import lock.
    """
    for thread in _begun.values():
        thread.join(10)


def warm_up() -> None:
    """Import and load all that the first model call and the first count of tokens need."""
    with nothing_collected():
        _count()
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
