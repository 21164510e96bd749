"""The MCP tools of a generation: kept by hash in its agent's snapshot, like the prompt."""

from collections.abc import Mapping
from typing import Any

from agents.mcp import NO_OFFER, Offer
from agents.mcp.offer import offer_from
from history.services.texts import stored_text


def offer_of(agent: Mapping[str, Any]) -> Offer:
    """`agent` is the snapshot of a generation; old ones know no servers."""
    digest = agent.get("mcp", "")
    return offer_from(stored_text(digest)) if digest else NO_OFFER
