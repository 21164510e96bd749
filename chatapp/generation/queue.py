"""Answers waiting for a free place: started in turn, and shown in line meanwhile."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _

from chatapp.limits.admission import Admission
from chatapp.limits.waiting_line import WaitingLine
from chatapp.live.viewers import Frame, viewers, whose
from history.models import Generation

TELL_SECONDS = 0.3  # Places change often; each is announced no more often than this.


class AnswerQueue:
    """This process's line. Delegated tasks don't join it: an answer is already waiting for them."""

    def __init__(self) -> None:
        self._line = WaitingLine()
        self._waiting: dict[UUID, Generation] = {}
        self._ahead: dict[UUID, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    @contextmanager
    def admitting(self, person: str, address: str) -> Iterator[Admission]:
        """Guard a command that may begin an answer."""
        with self._line.coming(person) as opened:
            yield Admission(person, address, opened)

    def enter(self, generation: Generation) -> bool:
        """Return whether it may begin now; otherwise it waits."""
        person = whose(generation.conversation)
        if self._line.enter(generation.pk, person, settings.OPEN_ANSWERS):
            return True
        self._waiting[generation.pk] = generation
        self._tell()
        return False

    def leave(self, generation_id: UUID) -> list[Generation]:
        """Remove an answer that ended or stopped waiting; return those that may begin now."""
        self._line.leave(generation_id)
        self._waiting.pop(generation_id, None)
        begun = []
        while not self._is_closed and (answer := self._line.next(settings.OPEN_ANSWERS)):
            begun.append(self._waiting.pop(answer))
        if self._waiting and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell)
        return begun

    def close(self) -> None:
        """Close at the end of the process; the next process begins the rest."""
        self._is_closed = True

    @property
    def waiting(self) -> tuple[UUID, ...]:
        return tuple(self._waiting)

    def frame_in(self, conversation_id: UUID) -> Frame | None:
        """Return what a tab shows of an answer that waits in this conversation."""
        for generation in self._waiting.values():
            if generation.conversation_id == conversation_id:
                return _frame(generation, self._ahead.get(generation.pk, 0))
        return None

    def _tell(self) -> None:
        """Tell each answer whose place has changed."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        before = self._ahead
        self._ahead = {answer: ahead for ahead, answer in enumerate(self._line.order())}
        for answer, ahead in self._ahead.items():
            if before.get(answer) != ahead:
                generation = self._waiting[answer]
                viewers.show(generation.conversation_id, _frame(generation, ahead))


def _frame(generation: Generation, ahead: int) -> Frame:
    waiting = _("Waiting: {n} ahead of you.") if ahead else _("Waiting: you're next.")
    return {
        "type": "place",
        "conversation": str(generation.conversation_id),
        "generation": str(generation.pk),
        "ahead": ahead,
        "text": waiting.format(n=ahead),
    }


answer_queue = AnswerQueue()
