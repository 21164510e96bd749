"""Servers that speak OpenAI's protocol for chats, asked without litellm.

litellm sends a request to such a server just as it is. Doing so ourselves takes a fifth less of a
turn's processor time, and litellm, which takes 2 s and 160 MB, is not even loaded.
"""

from collections.abc import Mapping
from typing import Any

import httpx

from chatapp.llm.litellm_setup import model_costs
from chatapp.llm.providers.connection import Connection
from chatapp.llm.providers.responses import API_PREFIX, OPENAI
from chatapp.llm.server_sent import ErrorReported, reported
from chatapp.llm.wire import SENDER

PATH = "/chat/completions"
CHANGED = ("gpt-5", "gpt-6")  # litellm changes the parameters of every model with such a name.
# An error with another status says nothing about a request's length.
PERHAPS_TOO_LONG = frozenset({400, 413, 422, 500})
MOST = 64_000  # The most bytes of an error that are read.


def is_compatible(to: Connection) -> bool:
    """Return whether to ask without litellm. OpenAI itself is not asked so, because litellm adapts
    tools to its rules.
    """
    has_all = to.base_url and "?" not in to.base_url and to.key
    return bool(has_all) and takes_all(to.model) and not to.is_at_makers


def takes_all(known_as: str) -> bool:
    """Return whether litellm leaves the parameters of a model unchanged. It does so if OpenAI has
    no such model, which other servers may.
    """
    provider, _, name = known_as.partition("/")
    if provider != OPENAI or name.startswith(API_PREFIX) or any(mark in name for mark in CHANGED):
        return False
    listed = model_costs()
    return name not in listed and name.rpartition("/")[2] not in listed


async def opened(body: Mapping[str, Any], to: Connection) -> httpx.Response:
    """Ask for a stream. Raise `ErrorReported` if it is refused, or an exception of httpx."""
    fields = {**body, "model": to.model.partition("/")[2]}
    headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {to.key}"}
    address = f"{(to.base_url or '').rstrip('/')}{PATH}"
    request = SENDER.build_request("POST", address, json=fields, headers=headers)
    response = await SENDER.send(request, stream=True)
    if not response.is_success:
        raise await _refusal(response)
    return response


async def _refusal(response: httpx.Response) -> ErrorReported:
    start = b""
    try:
        async for piece in response.aiter_bytes():
            start += piece
            if len(start) >= MOST:
                break
    finally:
        await response.aclose()
    says_too_long = response.status_code in PERHAPS_TOO_LONG
    refusal = reported(start.decode(errors="replace") if says_too_long else "")
    refusal.status_code, refusal.response = response.status_code, response
    return refusal
