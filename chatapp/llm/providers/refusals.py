"""Keep a provider's own words about an error, without any key, for staff to read."""

from collections.abc import AsyncIterable, AsyncIterator, Iterable

import httpx

from history.core.wire.request import WireRequest

LONGEST = 2_000  # The most characters kept of a provider's words.
MOST_BYTES = 4 * LONGEST
FIRST_ERROR = 400
SHORTEST = 6  # Pieces of a key with fewer characters are not hidden.
HIDDEN = "[key]"


def keep_words(response: httpx.Response, record: WireRequest, secrets: frozenset[str]) -> None:
    """Record the text of an error response while a library reads the response."""
    is_error = response.status_code >= FIRST_ERROR
    if is_error and isinstance(response.stream, httpx.AsyncByteStream):
        response.stream = _Copied(response.stream, response.headers, record, secrets)


class _Copied(httpx.AsyncByteStream):
    def __init__(
        self,
        stream: httpx.AsyncByteStream,
        headers: httpx.Headers,
        record: WireRequest,
        secrets: frozenset[str],
    ) -> None:
        self._stream, self._headers = stream, headers
        self._record, self._secrets = record, secrets

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces: AsyncIterable[bytes] = self._stream
        start = b""
        async for piece in pieces:
            start += piece[: MOST_BYTES - len(start)]
            self._record.said = words_of(start, self._headers, self._secrets)
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


def words_of(start: bytes, headers: httpx.Headers, secrets: frozenset[str]) -> str:
    """Return the text at the start of a body; empty if the body is compressed and cut off."""
    encoding = {n: v for n, v in headers.items() if n in {"content-type", "content-encoding"}}
    try:
        text = httpx.Response(200, headers=encoding, content=start).text
    except httpx.DecodingError:
        return ""
    # Hide keys before cutting the text, because half a key would not be recognised.
    return masked(text, secrets)[:LONGEST].replace("\0", "")


def masked(text: str, secrets: Iterable[str]) -> str:
    """Replace each key, and each piece of one that is long enough to reveal something."""
    pieces = {s[n : n + SHORTEST] for s in secrets for n in range(max(1, len(s) - SHORTEST + 1))}
    hides = [False] * len(text)
    for piece in pieces:
        start = text.find(piece)
        while start >= 0:
            hides[start : start + len(piece)] = [True] * len(piece)
            start = text.find(piece, start + 1)
    characters = []
    for place, character in enumerate(text):
        if not hides[place]:
            characters.append(character)
        elif not place or not hides[place - 1]:
            characters.append(HIDDEN)
    return "".join(characters)
