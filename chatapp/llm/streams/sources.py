"""The stream that was opened for a request: lists of chunks, from the provider or from litellm."""

from collections.abc import AsyncGenerator, AsyncIterable
from dataclasses import dataclass
from typing import Any

import httpx

from chatapp.llm.chunks import Reading, usage_of
from chatapp.llm.litellm_internals import (
    chunks_received,
    reason_received,
    response_of,
    responses_of,
)
from chatapp.llm.server_sent import chunks_of
from chatapp.llm.streams.responses import Responses


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The stream of an answer that OpenAI has stored, from its Responses API."""

    response: httpx.Response

    async def aclose(self) -> None:
        await self.response.aclose()


def source_of(opened: Any) -> tuple[AsyncGenerator[list[Any], None], bool]:
    """Return lists of chunks as they arrive, and whether the provider itself made these chunks."""
    if isinstance(opened, AsyncGenerator):
        return _each_alone(opened), True
    if isinstance(opened, httpx.Response):
        return chunks_of(opened), True
    if isinstance(opened, StoredAnswer):
        return chunks_of(opened.response, Responses().read), True
    if (response := response_of(opened)) is not None:
        return chunks_of(response), True
    if (response := responses_of(opened)) is not None:
        return chunks_of(response, Responses().read), True
    return _each_alone(opened), False


async def _each_alone(chunks: AsyncIterable[Any]) -> AsyncGenerator[list[Any], None]:
    async for chunk in chunks:
        yield [chunk]


def settle(reading: Reading, opened: Any) -> None:
    """Use the end that the provider reported: litellm's wrapper always invents a finish reason."""
    reading.finish = reason_received(opened)
    # Some providers report usage after every chunk; the newest report counts.
    usages = [usage for chunk in chunks_received(opened) if (usage := usage_of(chunk))]
    reading.usage = usages[-1] if usages else None
