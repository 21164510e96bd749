"""Tools of MCP servers: programs and addresses that the administrator configured.

Only `session` and its connections import the client library, which takes a second: code that needs
no server does not wait for it.
"""

from agents.mcp.offer import NO_OFFER, Offer, OfferedTool

__all__ = ["NO_OFFER", "Offer", "OfferedTool"]
