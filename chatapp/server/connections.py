"""Limit open connections, in total and per address, and close those beyond the limits."""

import asyncio
import logging
from collections import Counter

from chatapp.server.client_address import counted_peer

logger = logging.getLogger(__name__)


class Connections:
    """The open connections. If a new one finds no room, the one idle for longest is closed."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.most_of_one = most // 2
        self._open: dict[asyncio.Transport, str] = {}
        self._of_one: Counter[str] = Counter()
        self._idle: dict[asyncio.Transport, None] = {}

    def enter(self, transport: asyncio.Transport) -> bool:
        """Add a connection. Return whether it may stay; otherwise it must be closed."""
        address = counted_peer((transport.get_extra_info("peername") or ("",))[0])
        if address and self._of_one[address] >= self.most_of_one:
            logger.warning("Connections are refused: one address has %d.", self.most_of_one)
            return False
        if len(self._open) >= self.most and not self._make_room():
            logger.warning("Connections are refused: %d are open and at work.", self.most)
            return False
        self._open[transport] = address
        self._of_one[address] += 1
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        self._idle.pop(transport, None)
        address = self._open.pop(transport, None)
        if address is None:
            return
        self._of_one[address] -= 1
        if not self._of_one[address]:
            del self._of_one[address]

    def mark(self, transport: asyncio.Transport, *, idle: bool) -> None:
        """Note whether a connection is idle, because its client has not sent the next request."""
        if not idle:
            self._idle.pop(transport, None)
        elif transport in self._open:
            self._idle.setdefault(transport)

    def _make_room(self) -> bool:
        oldest = next(iter(self._idle), None)
        if oldest is None:
            return False
        logger.warning("Connections are many: %d. The oldest idle ones are closed.", self.most)
        self.leave(oldest)
        oldest.abort()
        return True
