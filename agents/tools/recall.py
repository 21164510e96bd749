"""Find again what was said earlier in the conversation, even if it is no longer sent."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from agents.tools.tool import FoundMessage, ToolContext, ToolError, tool

Query = Annotated[
    str, Field(max_length=1_000, description="A few words that the message contains.")
]
Most = Annotated[int, Field(ge=1, le=20, description="How many messages to return, up to 20.")]


def recall(query: Query, context: ToolContext, most: Most = 5) -> str:
    """Search all earlier messages of this conversation, including those you can't see."""
    if not query.strip():
        raise ToolError("the query is empty; give a few words that the message contains.")
    return "\n\n".join(_said(query, context.search(query, most)))


def _said(query: str, messages: Sequence[FoundMessage]) -> Iterator[str]:
    if not messages:
        yield f"No earlier message contains any of {query[:80]!r}. Try other words."
        return
    yield "Earlier messages, best match first:"
    for message in messages:
        yield f"[turn {message.turn}, {message.who}] {message.excerpt}"


RECALL = tool(recall)
