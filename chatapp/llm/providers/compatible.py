"""Servers that speak OpenAI's protocol for chats, asked without litellm.

litellm sends nearly every request to such a server as it is. Doing so ourselves takes a third of
the processor time, and litellm, which takes 4 s and 130 MB, is not even loaded.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx

from chatapp import env
from chatapp.llm.catalogue import DEMO_MODEL, takes_all
from chatapp.llm.providers.connection import Connection
from chatapp.llm.request import LlmRequest
from chatapp.llm.streams.events import ErrorReported, reported
from chatapp.llm.wire import SENDER

PATH = "/chat/completions"
# Variables from which the openai library, which litellm uses, takes further headers.
HEADERS = ("OPENAI_ORG_ID", "OPENAI_ORGANIZATION", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS")
# An error with another status says nothing about a request's length.
PERHAPS_TOO_LONG = frozenset({400, 413, 422, 500})
MOST = 64_000  # The most bytes of an error that are read.


def is_compatible(to: Connection) -> bool:
    """Return whether the server can be asked without litellm. OpenAI itself is not asked so,
    because litellm adapts tools to its rules, nor is anybody if the environment has headers for it.
    """
    if not (to.base_url and to.key and takes_all(to.model)) or env.has_any(HEADERS):
        return False
    address = urlsplit(to.base_url)
    return not (address.query or f".{address.hostname}".endswith(".openai.com"))


def is_plain(request: LlmRequest) -> bool:
    """Return whether litellm would leave the request's tools unchanged. From their schemas it
    removes patterns that Python's regular expressions do not know.
    """
    return "'pattern" not in str(request.tools)


def needs_litellm(to: Connection, request: LlmRequest | None = None) -> bool:
    """Return whether litellm is needed for a request; without one, for the usual ones."""
    if to.model == DEMO_MODEL:
        return False
    return not is_compatible(to) or (request is not None and not is_plain(request))


async def opened(request: LlmRequest, to: Connection) -> httpx.Response:
    """Open a stream. Raise `ErrorReported` if the server refuses, or an exception of httpx."""
    body = request.body()
    body |= {"model": to.model.partition("/")[2], "messages": list(map(_set, body["messages"]))}
    headers = {"Authorization": f"Bearer {to.key}", "User-Agent": "Vitrine"}
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
