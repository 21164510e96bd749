"""Draining: a server that is told to stop lets answers end first, for a limited time."""

import faulthandler
from time import monotonic

from django.conf import settings

from chatapp.generation import supervisor
from chatapp.generation.queue import answer_queue
from chatapp.server.health import readiness

LAST_SECONDS = 30.0  # How long a process may take to end once it waits for no more answers.


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


def end_at_last() -> None:
    """Let this process end within `LAST_SECONDS`, even if something hangs: its log then shows what
    every thread was doing.

    Python's watchdog runs in a thread of its own, which does not depend on the others.
    """
    faulthandler.dump_traceback_later(LAST_SECONDS, exit=True)
