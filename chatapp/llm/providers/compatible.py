"""Servers that speak OpenAI's protocol for chats, asked without litellm.

litellm sends a request to such a server just as it is. Doing so ourselves takes a third of the
processor time, and litellm, which takes 4 s and 130 MB, is not even loaded.
"""

from collections.abc import Mapping
from typing import Any

import httpx

from chatapp.llm.catalogue import takes_all
from chatapp.llm.providers.connection import Connection
from chatapp.llm.request import LlmRequest
from chatapp.llm.server_sent import ErrorReported, reported
from chatapp.llm.wire import SENDER

PATH = "/chat/completions"
# An error with another status says nothing about a request's length.
PERHAPS_TOO_LONG = frozenset({400, 413, 422, 500})
MOST = 64_000  # The most bytes of an error that are read.


def is_compatible(to: Connection) -> bool:
    """Return whether to ask without litellm. OpenAI itself is not asked so, because litellm adapts
    tools to its rules.
    """
    has_all = to.base_url and "?" not in to.base_url and to.key
    return bool(has_all) and takes_all(to.model) and not to.is_at_makers


async def opened(request: LlmRequest, to: Connection) -> httpx.Response:
    """Open a stream. Raise `ErrorReported` if the server refuses, or an exception of httpx."""
    body = request.body()
    body |= {"model": to.model.partition("/")[2], "messages": list(map(_set, body["messages"]))}
    headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {to.key}"}
    address = f"{(to.base_url or '').rstrip('/')}{PATH}"
    question = SENDER.build_request("POST", address, json=body, headers=headers)
    response = await SENDER.send(question, stream=True)
    if not response.is_success:
        raise await _refusal(response)
    return response


def _set(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that have a value: a call without a text has no text instead of null."""
    return {name: value for name, value in message.items() if value is not None}


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
