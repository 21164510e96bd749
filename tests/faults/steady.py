"""Providers that answer every question in the same time, and count how often each one came."""

import time
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

from tests.faults.answers import words_to
from tests.provider import Provider, Received, Reply
from tests.strict.background import BackgroundResponses
from tests.strict.server import Received as ReceivedItems
from tests.strict.server import Said, StrictProvider

WORDS, DELAY = 40, 0.2  # The words of an answer, and the seconds between two.


def pieces_to(question: str) -> list[str]:
    return list(islice(words_to(question), WORDS))


class SteadyProvider(Provider):
    def __init__(self) -> None:
        super().__init__()
        self.asked_of: Counter[str] = Counter()

    def take(self, received: Received) -> Reply:
        super().take(received)
        with self._lock:
            question = self.requests.pop()["messages"][-1]["content"]
            self.received.clear()
            self.asked_of[question] += 1
        return Reply(text=pieces_to(question), delay=DELAY)


class SteadyResponses(BackgroundResponses):
    """Answers that go on at their own pace, whenever somebody begins to read them."""

    def __init__(self) -> None:
        super().__init__()
        self._begun: dict[int, float] = {}

    def _paced(self, events: list[bytes]) -> Iterator[bytes]:
        begun = self._begun.setdefault(id(events), time.monotonic())
        for place, event in enumerate(events):
            time.sleep(max(0.0, begun + place * DELAY - time.monotonic()))
            yield event


class SteadyOpenAI(StrictProvider):
    """Answers in the background."""

    def __init__(self) -> None:
        super().__init__(SteadyResponses())
        self.asked_of: Counter[str] = Counter()
        self._numbers = count(1)

    def take(self, request: ReceivedItems) -> Iterator[bytes]:
        question = _text(request.body["input"][-1]["content"])
        with self._lock:
            self.asked_of[question] += 1
            number = next(self._numbers)
        return self.family.events(Said(text=pieces_to(question)), number, request.body)

    def release(self) -> None:
        """No answer waits for anything."""


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)
