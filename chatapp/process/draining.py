"""Draining: a server that is told to stop lets answers end first, for a limited time."""

from time import monotonic

from django.conf import settings

from chatapp.generation import supervisor
from chatapp.generation.queue import answer_queue
from chatapp.server.health import readiness


class Draining:
    """The time for answers to end; it begins when the server first asks whether it may stop."""

    def __init__(self) -> None:
        self._until: float | None = None

    def is_over(self) -> bool:
        """Whether nothing is being written here any more, or `DRAIN_SECONDS` have passed.

        From then on nothing new is accepted: clients ask the next process.
        """
        if self._until is None:
            self._until = monotonic() + settings.DRAIN_SECONDS
            readiness.is_draining = True
        is_idle = not supervisor.running() and not answer_queue.is_expecting
        if is_idle or monotonic() >= self._until:
            answer_queue.close()
            return True
        return False


draining = Draining()
