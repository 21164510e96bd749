"""Tools of MCP servers: programs and addresses that the administrator configured.

`session` and what it connects by are the only parts that import the client library, which takes a
second: whoever needs no server does not wait for it.
"""

from agents.mcp.offer import NO_OFFER, Offer, OfferedTool

__all__ = ["NO_OFFER", "Offer", "OfferedTool"]
