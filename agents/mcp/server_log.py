"""What a server writes beside the protocol: to our log, capped, and without its secrets."""

import logging
from collections.abc import Sequence

from history.core.wording import printable

logger = logging.getLogger(__name__)

MOST_LINES = 200  # Of one connection.
LONGEST_LINE = 500
SHORTEST_SECRET = 6  # Anything shorter would blank out half of what is said.


class ServerLog:
    """The lines of one connection."""

    def __init__(self, name: str, secrets: Sequence[str] = ()) -> None:
        self._name = name
        self._secrets = [secret for secret in secrets if len(secret) >= SHORTEST_SECRET]
        self._left = MOST_LINES

    def line(self, text: str) -> None:
        """Any text; nothing after the last line that there is room for."""
        if not self._left or not text.strip():
            return
        self._left -= 1
        for secret in self._secrets:
            text = text.replace(secret, "(secret)")
        logger.info("MCP server %s: %s", self._name, printable(text.rstrip(), LONGEST_LINE))
        if not self._left:
            logger.info("MCP server %s: further lines are not logged", self._name)
