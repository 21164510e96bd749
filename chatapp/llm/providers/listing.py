"""Test a provider's connection: ask it which models it has, with a key that need not be stored.

The request is guarded like those to stored providers. Nothing of it is kept or logged.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_variables

from agents.providers.protocols import PROTOCOLS
from chatapp.llm.errors import ProviderError
from chatapp.llm.providers.guard import GuardedTransport, restricted
from chatapp.llm.providers.refusals import masked

PATIENCE = 10.0  # Seconds for the whole request; only the look-up of the host may take longer.
MOST_BYTES = 4_000_000
MOST_MODELS = 1_000
LONGEST = 120  # The most characters of a model's name.
KEY_REFUSED = frozenset({401, 403})


@dataclass(frozen=True, slots=True)
class ListingRequest:
    """How to ask for a protocol's list of models. `path` follows the provider's address, from the
    end of which `beside` is removed; the other fields say how the key is sent. A list that
    `is_open` is sent whatever the key is.
    """

    path: str = "/models"
    beside: str = ""
    header: str = "authorization"
    scheme: str = "Bearer "
    more: tuple[tuple[str, str], ...] = ()
    is_open: bool = False


USUAL = ListingRequest()
OTHERS: Mapping[str, ListingRequest] = {
    "anthropic": ListingRequest(
        "/v1/models?limit=1000",
        header="x-api-key",
        scheme="",
        more=(("anthropic-version", "2023-06-01"),),
    ),
    # Its documentation has no list of models below /beta.
    "deepseek": ListingRequest(beside="/beta"),
    "gemini": ListingRequest("/models?pageSize=1000", header="x-goog-api-key", scheme=""),
    "ollama_chat": ListingRequest("/api/tags", is_open=True),
    "openrouter": ListingRequest(is_open=True),
}


@dataclass(frozen=True, slots=True)
class Listing:
    """What was found, as a sentence, and the models' names, without the provider's."""

    sentence: str
    models: tuple[str, ...] = ()
    is_good: bool = False


@sensitive_variables("key")
async def listing_of(protocol: str, address: str, key: str) -> Listing:
    """Ask for the list, once. `address` is the provider's; `key` may be empty."""
    host, query = urlsplit(address).netloc, OTHERS.get(protocol, USUAL)
    if not (key.isascii() and key.isprintable()):
        return Listing(_("The key has characters that no key has. Copy it again."))
    try:
        async with asyncio.timeout(PATIENCE):
            status, body = await _answer(query, address, key)
    except ProviderError as refused:
        return Listing(refused.message)
    except (TimeoutError, httpx.TimeoutException):
        sentence = _("{host} didn't answer within {n} seconds. Check the address and the network.")
        return Listing(sentence.format(host=host, n=round(PATIENCE)))
    except (httpx.HTTPError, httpx.InvalidURL):
        sentence = _("{host} can't be reached. Check the address, and whether the server runs.")
        return Listing(sentence.format(host=host))
    listing = _found(host, PROTOCOLS[protocol].label, status, body, key)
    if not listing.is_good or (key and not query.is_open):
        return listing
    return replace(listing, sentence=f"{listing.sentence} {_unsaid(key)}")


@sensitive_variables("key")
def _unsaid(key: str) -> str:
    """Say what remains unknown if the server has not checked a key before it sent its list."""
    if key:
        return _("Whether the key is accepted shows only when a model is asked.")
    return _("No key was sent: whether one is needed shows only when a model is asked.")


@sensitive_variables("key", "headers")
async def _answer(query: ListingRequest, address: str, key: str) -> tuple[int, bytes]:
    """Return the answer's status and the beginning of its body."""
    headers = dict(query.more) | {"accept-encoding": "identity"}
    headers |= {query.header: f"{query.scheme}{key}"} if key else {}
    transport = GuardedTransport(httpx.AsyncHTTPTransport(trust_env=False))
    url = address.rstrip("/").removesuffix(query.beside) + query.path
    with restricted(applies=True):
        async with (
            httpx.AsyncClient(transport=transport, timeout=PATIENCE) as client,
            client.stream("GET", url, headers=headers) as response,
        ):
            body = b""
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > MOST_BYTES:
                    break
            return response.status_code, body


@sensitive_variables("key", "secrets")
def _found(host: str, protocol: str, status: int, body: bytes, key: str) -> Listing:
    if status in KEY_REFUSED:
        refused = _("{host} was reached, but refused the key.")
        missing = _("{host} was reached, but wants a key.")
        return Listing((refused if key else missing).format(host=host))
    names = _names(body) if status == httpx.codes.OK else None
    if names is None:
        sentence = _(
            "{host} was reached, but sent no list of models (status {status}). Check the address "
            "and the protocol ({protocol}). A server without such a list may still answer."
        )
        return Listing(sentence.format(host=host, status=status, protocol=protocol))
    secrets = {key} if key else set()
    models = tuple(map(masked, sorted(names)[:MOST_MODELS], repeat(secrets)))
    sentence = ngettext(
        "{host} was reached and offers {n} model.",
        "{host} was reached and offers {n} models.",
        len(names),
    )
    return Listing(sentence.format(host=host, n=f"{len(names):,}"), models, is_good=True)


def _names(body: bytes) -> set[str] | None:
    """Read the names in a list of any of the protocols; None if it is no such list."""
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        return None
    rows = read.get("data", read.get("models")) if isinstance(read, dict) else read
    return set(_named(rows)) if isinstance(rows, list) else None


def _named(rows: list[Any]) -> Iterator[str]:
    for row in rows:
        name = (row.get("id") or row.get("name")) if isinstance(row, dict) else None
        if isinstance(name, str) and name.isprintable():
            yield name.removeprefix("models/")[:LONGEST]
