"""Tools of MCP servers: programs and addresses that the administrator configured.

Importing the client library takes a second. Only `session` and its connections import it, so that
code without MCP servers does not wait.
"""

from agents.mcp.offer import NO_OFFER, Offer, OfferedTool

__all__ = ["NO_OFFER", "Offer", "OfferedTool"]
