"""The limits of one socket: on handshakes, on its person's tabs, and on frames per second."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from chatapp.limits import limits
from chatapp.limits.buckets import Limit, MemoryBuckets
from chatapp.limits.spending import TooMany, spend
from chatapp.server.client_address import address_of_scope
from chatapp.telemetry.metrics import REFUSALS

TOO_MANY = 4429  # Closes a socket whose person has too many of them, or sends too many frames.

SECONDS = 30  # Seconds after which a tab asks again for a place.
PATIENCE_SECONDS = 10  # The seconds in which as many frames may be refused as one second allows.
_open: Counter[str] = Counter()
# Not shared with other processes, because this protects the process itself.
_handshakes = MemoryBuckets()


class SocketLimits:
    """The limits of one socket, to be used in the event loop."""

    def __init__(self, scope: Mapping[str, Any]) -> None:
        self.address = address_of_scope(scope)
        self._places: list[str] = []
        self._buckets = MemoryBuckets()

    def knock(self) -> None:
        """Count a handshake before the costlier search for its session, or raise TooMany."""
        spend((limits.handshakes(), self.address, 1), buckets=_handshakes)

    def enter(self, person: str) -> None:
        """Take one of the person's places, or raise TooMany."""
        own = _("Too many open tabs (the limit is {most}). Close one.")
        self._take(person, settings.SOCKETS_PER_PERSON, own)
        shared = _("Too many open tabs from your IP address (the limit is {most}). Close one.")
        self._take(self.address, settings.SOCKETS_PER_ADDRESS, shared)

    def leave(self) -> None:
        for place in self._places:
            _open[place] -= 1
            if not _open[place]:
                del _open[place]
        self._places = []

    def take_frame(self) -> None:
        """Count a frame. Raise TooMany for a frame beyond the limit."""
        limit = limits.frames()
        if wait := self._buckets.take(limit, ""):
            REFUSALS.count(limit.name)
            raise TooMany(limit.sentence.format(most=limit.most), wait)

    def goes_on(self) -> bool:
        """Return whether a client goes on sending frames although they are refused."""
        patience = Limit("refused", settings.FRAMES_PER_SECOND, PATIENCE_SECONDS, "")
        return self._buckets.take(patience, "") > 0

    def _take(self, place: str, most: int, sentence: str) -> None:
        if most and _open[place] >= most:
            REFUSALS.count("tabs")
            raise TooMany(sentence.format(most=f"{most:,}"), SECONDS)
        _open[place] += 1
        self._places.append(place)
