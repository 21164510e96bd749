"""Load what an answer needs while the first person is still typing.

The largest part is litellm, which takes 3 s and most of the memory. A server that nobody uses does
not load it. Nor does one whose agents only have models that are asked without it.
"""

import asyncio
import gc
import logging
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import chain
from threading import Thread, Timer
from typing import Any, TypeAlias

from agents.choice import selectable
from agents.models import AgentTemplate
from agents.providers.keys import KeyUnreadable
from chatapp.databases.refusals import refusal_in
from chatapp.databases.threads import in_database
from chatapp.llm.catalogue import DEMO_MODEL
from chatapp.llm.client import ask_by_litellm, close_clients
from chatapp.llm.litellm_setup import nothing_collected
from chatapp.llm.providers import compatible
from chatapp.llm.providers.compatible import needs_litellm
from chatapp.llm.providers.connection import NO_KEY, Connection, connection_of
from chatapp.llm.request import LlmRequest
from history.tokens import measure

Ask: TypeAlias = Callable[[LlmRequest, Connection], Awaitable[Any]]
logger = logging.getLogger(__name__)
MODEL = "openai/warm-up"
MESSAGES = [{"role": "user", "content": "Hello"}]
PAGE_SECONDS = 1.0  # A page, its styles and its scripts have arrived by then.
_begun: dict[Callable[[], None], Thread] = {}


async def begin(*, calls: bool = True) -> None:
    """Begin to load the libraries in a thread, unless that has begun already.

    Without `calls`, load only what counts tokens: then another process calls the models.
    """
    if warm_up_litellm in _begun:
        return
    try:
        work = await in_database(work_for_agents) if calls else warm_up_counting
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
        _begun[warm_up_counting] = timer = Timer(PAGE_SECONDS, warm_up_counting)
        timer.daemon = True
        timer.start()


def work_for_agents() -> Callable[[], None]:
    """Return what has to be loaded for the models that the agents may have."""
    models = set(chain.from_iterable(map(selectable, AgentTemplate.objects.all()))) - {DEMO_MODEL}
    if any(map(_needs_litellm, models)):
        return warm_up_litellm
    return warm_up_sending if models else warm_up_counting


def _needs_litellm(model: str) -> bool:
    # Only litellm knows the provider of a model without one in its name.
    with suppress(KeyUnreadable):
        return "/" not in model or needs_litellm(connection_of(model))
    return False


def warm_up_counting() -> None:
    measure("warm")


def settled() -> None:
    """Wait until loading has ended, if it has begun, but not for ever.

    A process that exits while litellm is being imported may hang at the import lock.
    """
    for thread in _begun.values():
        thread.join(10)


def warm_up_litellm() -> None:
    """Import and load all that the first model call and the first count of tokens need."""
    _warm_up(ask_by_litellm)


def warm_up_sending() -> None:
    """Load what the first call needs that litellm does not make, and the first count of tokens."""
    _warm_up(compatible.opened)


def _warm_up(ask: Ask) -> None:
    with nothing_collected():
        warm_up_counting()
        asyncio.run(_call_nobody(ask))
    # Without this, the next garbage collection would stop everybody for 0.4 s, and find nothing.
    gc.freeze()


async def _call_nobody(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        # After the block, the port is closed, so that it refuses connections.
        port = server.getsockname()[1]
    to = Connection(MODEL, f"http://127.0.0.1:{port}/v1", NO_KEY)
    try:
        await ask(LlmRequest(MODEL, MESSAGES), to)
    except Exception as error:
        logger.debug("Warmed up: %s", type(error).__name__)
    await close_clients()
