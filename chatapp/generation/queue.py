"""Let answers wait for a free place: they begin in turn, and tabs show their places in line.

Only a few are written at once; the people whose answers wait take turns.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _

from chatapp.env.redis import WORKER
from chatapp.limits.limits import Admission
from chatapp.live.viewers import Frame, viewers
from history.models import ACTIVE, Conversation, Generation
from history.services.access import person_of
from history.services.errors import Refused

TELL_SECONDS = 0.3  # Places in line change often; they are announced no more often than this.


class ProcessEnding(Refused):
    """This process is ending, and begins no more answers."""

    status = 503

    def __init__(self) -> None:
        super().__init__("unavailable", _("Vitrine is restarting. Try again in a few seconds."))


class WaitingLine:
    """One process's queue, for its event loop. `most` is the number of places; 0 means no limit."""

    def __init__(self) -> None:
        self._running: dict[UUID, str] = {}
        self._waiting: OrderedDict[str, deque[UUID]] = OrderedDict()  # By person, the next first.
        self._coming: Counter[str] = Counter()

    def enter(self, answer: UUID, person: str, most: int) -> bool:
        """Enter an answer, and return whether it may begin now; otherwise it waits in line."""
        if not most or (len(self._running) < most and not self._waiting):
            self._running[answer] = person
            return True
        self._waiting.setdefault(person, deque()).append(answer)
        return False

    def leave(self, answer: UUID) -> None:
        """Remove an answer that has ended or no longer waits."""
        self._running.pop(answer, None)
        for person, answers in self._waiting.items():
            if answer in answers:
                answers.remove(answer)
                if not answers:
                    del self._waiting[person]
                return

    def next(self, most: int) -> UUID | None:
        """Take the next answer out of the line, if a place is free, and return it."""
        if not self._waiting or (most and len(self._running) >= most):
            return None
        person, answers = next(iter(self._waiting.items()))
        answer = answers.popleft()
        if answers:
            self._waiting.move_to_end(person)
        else:
            del self._waiting[person]
        self._running[answer] = person
        return answer

    def order(self) -> Iterator[UUID]:
        """Yield the waiting answers in the order they will begin if no others join the line."""
        rounds = max(map(len, self._waiting.values()), default=0)
        for place in range(rounds):
            for answers in self._waiting.values():
                if place < len(answers):
                    yield answers[place]

    def opened_by(self, person: str) -> int:
        """Count one person's answers that are being written, wait, or are about to begin."""
        running = sum(whose == person for whose in self._running.values())
        return running + len(self._waiting.get(person, ())) + self._coming[person]

    @property
    def expects(self) -> bool:
        """Whether a command that may begin an answer is being carried out."""
        return bool(self._coming)

    @contextmanager
    def coming(self, person: str) -> Iterator[int]:
        """Guard a command that may begin an answer; yield how many answers the person has already.

        Commands that run at the same time are counted, too.
        """
        others = self.opened_by(person)
        self._coming[person] += 1
        try:
            yield others
        finally:
            self._coming[person] -= 1
            if not self._coming[person]:
                del self._coming[person]


class AnswerQueue:
    """This process's line of answers. Delegated tasks don't join it, because the answer that
    delegated them is already waiting for their results.
    """

    def __init__(self) -> None:
        self._line = WaitingLine()
        self._waiting: dict[UUID, Generation] = {}
        self._ahead: dict[UUID, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    @contextmanager
    def admitting(self, person: str, address: str) -> Iterator[Admission]:
        """Guard a command that may begin an answer. If workers write answers, a person's open
        answers are counted in the database, where concurrent commands may overlook each other.
        Raise ProcessEnding if this process could no longer write an answer that it accepts.
        """
        if settings.GENERATION_EXECUTOR == WORKER:
            yield Admission(person, address, partial(_open_anywhere, person))
            return
        if self._is_closed:
            raise ProcessEnding
        with self._line.coming(person) as opened:
            yield Admission(person, address, lambda: opened)

    def enter(self, generation: Generation) -> bool:
        """Enter an answer, and return whether it may begin now; otherwise it waits in line."""
        person = person_of(generation.conversation)
        if self._line.enter(generation.pk, person, settings.OPEN_ANSWERS):
            return True
        self._waiting[generation.pk] = generation
        self._tell()
        return False

    def leave(self, generation_id: UUID) -> list[Generation]:
        """Remove an answer that ended or stopped waiting; return those that may begin now."""
        self._line.leave(generation_id)
        self._waiting.pop(generation_id, None)
        answers = []
        while not self._is_closed and (answer := self._line.next(settings.OPEN_ANSWERS)):
            answers.append(self._waiting.pop(answer))
        if self._waiting and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell)
        return answers

    def close(self) -> None:
        """Close the line at the end of the process; the next process begins the waiting answers."""
        self._is_closed = True

    @property
    def waiting(self) -> tuple[UUID, ...]:
        return tuple(self._waiting)

    @property
    def is_expecting(self) -> bool:
        """Whether a command that may begin an answer is being carried out in this process."""
        return self._line.expects

    def frame_in(self, conversation_id: UUID) -> Frame | None:
        """Return the frame with the place in line of this conversation's waiting answer, if any."""
        for generation in self._waiting.values():
            if generation.conversation_id == conversation_id and not generation.is_aside:
                return place_frame(generation, self._ahead.get(generation.pk, 0))
        return None

    def _tell(self) -> None:
        """Show the new place of each waiting answer whose place in line has changed."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        before = self._ahead
        self._ahead = {answer: ahead for ahead, answer in enumerate(self._line.order())}
        for answer, ahead in self._ahead.items():
            generation = self._waiting[answer]
            if before.get(answer) != ahead and not generation.is_aside:
                viewers.show(generation.conversation_id, place_frame(generation, ahead))


def _open_anywhere(person: str) -> int:
    """Count one person's answers that are being written or wait, in whatever process."""
    kind, name = person.split(":", 1)
    owned = {"owner": name} if kind == "user" else {"owner": None, "visitor": name}
    theirs = Conversation.objects.filter(asked_by=None, **owned)
    return Generation.objects.filter(conversation__in=theirs, status__in=ACTIVE).count()


def place_frame(generation: Generation, ahead: int) -> Frame:
    """Say how many answers are ahead of one that waits."""
    waiting = _("Waiting: {n} ahead of you.") if ahead else _("Waiting: you're next.")
    return {
        "type": "place",
        "conversation": str(generation.conversation_id),
        "generation": str(generation.pk),
        "ahead": ahead,
        "text": waiting.format(n=ahead),
    }


answer_queue = AnswerQueue()
