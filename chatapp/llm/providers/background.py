"""Answers that OpenAI writes in the background: for which models, and how to read or end one.

Such an answer goes on when the connection ends. Whoever has its id and the key can read it again,
from its start.
"""

import asyncio
import logging
from typing import Any

from django.conf import settings

from chatapp.databases.threads import in_database
from chatapp.llm.litellm_internals import stored_responses
from chatapp.llm.litellm_setup import litellm
from chatapp.llm.providers.allowed import allowed_connection
from chatapp.llm.providers.connection import Connection
from chatapp.llm.providers.guard import restricted
from chatapp.llm.providers.responses import API_PREFIX, OPENAI, asked_name
from chatapp.llm.streams.sources import StoredAnswer
from chatapp.llm.wire import recorded

logger = logging.getLogger(__name__)
PATIENCE = 5.0  # Seconds in which OpenAI has to delete an answer.
SEALED = ["reasoning.encrypted_content"]  # Else reasoning comes without what it is sent back by.
_tasks: set[asyncio.Task[None]] = set()


def goes_on(model: str) -> bool:
    """Return whether the model's answers are written in the background."""
    return settings.BACKGROUND_ANSWERS and asked_name(model).startswith(f"{OPENAI}/{API_PREFIX}")


async def read_again(response: str, to: Connection) -> StoredAnswer:
    """Open the stream of a response from its start. Raise an exception of the openai library."""
    with recorded([]):  # Nothing of the chat leaves, so it belongs to no record.
        responses = _responses(to).with_raw_response
        opened: Any = await responses.retrieve(response, stream=True, include=SEALED)
    return StoredAnswer(opened.http_response)


def forget(model: str, response: str, *, is_over: bool) -> None:
    """Begin to have OpenAI forget a response; nobody waits for it but `settled`."""
    task = asyncio.create_task(_delete(model, response, is_over=is_over))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def settled() -> None:
    """Wait until OpenAI has forgotten what it was asked to forget."""
    if _tasks:
        await asyncio.wait(set(_tasks), timeout=PATIENCE)


async def _delete(model: str, response: str, *, is_over: bool) -> None:
    """Have OpenAI forget a response, and end it before if it is not over; log a failure."""
    try:
        to = await in_database(allowed_connection, model)
        async with asyncio.timeout(PATIENCE):
            with restricted(applies=to.is_guarded):
                responses = _responses(to)
                if not is_over:
                    await _cancel(responses, response)
                await responses.delete(response)
    except Exception as error:
        logger.warning("OpenAI may keep an answer in the background: %s", type(error).__name__)


async def _cancel(responses: Any, response: str) -> None:
    """End a response, unless OpenAI refuses because it has ended by itself."""
    try:
        await responses.cancel(response)
    except Exception as error:
        if getattr(error, "status_code", None) is None:
            raise


def _responses(to: Connection) -> Any:
    return stored_responses(litellm(), to.key, to.base_url)
