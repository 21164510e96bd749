"""A provider that fails in every way, as its seed determines; its words always fit the question."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import TypeAlias

from tests.faults.answers import words_to
from tests.provider import Provider, Received, Reply

Words: TypeAlias = list[str]
Mood: TypeAlias = Callable[[Words, random.Random], Reply]
ENDLESS = 20_000  # More words than anybody waits for.
PAUSE = 0.02  # The usual seconds between two words.


def good(words: Words, chance: random.Random) -> Reply:
    return Reply(text=words, delay=PAUSE)


def quick(words: Words, chance: random.Random) -> Reply:
    return Reply(text=words)


def slow(words: Words, chance: random.Random) -> Reply:
    return Reply(text=words, delay=0.1)


def drips(words: Words, chance: random.Random) -> Reply:
    return Reply(text=words[:5], piece=chance.randint(1, 9))


def cut(words: Words, chance: random.Random) -> Reply:
    """Reset the connection within an event, perhaps within the first one."""
    return Reply(text=words, delay=PAUSE, cut_after=chance.randrange(len(words)))


def silent(words: Words, chance: random.Random) -> Reply:
    """Stop in the middle, and send nothing more until the client leaves."""
    return Reply(text=words, delay=PAUSE, hang_after=chance.randrange(len(words)))


def endless(words: Words, chance: random.Random) -> Reply:
    """Send more words than any client waits for."""
    return Reply(text=words, delay=PAUSE)


def garbage(words: Words, chance: random.Random) -> Reply:
    lines = ["data: {not json", "data: [1, 2]", ": a comment", "event: strange", "data: {}"]
    return Reply(text=words, delay=PAUSE, raw=chance.sample(lines, 3))


def a_page(words: Words, chance: random.Random) -> Reply:
    return Reply(body="<html>Welcome to the hotel's network</html>")


def too_many(words: Words, chance: random.Random) -> Reply:
    return Reply(status=429, headers={"Retry-After": chance.choice(["0", "1", "3600"])})


def overloaded(words: Words, chance: random.Random) -> Reply:
    return Reply(status=chance.choice([500, 502, 503, 529]))


def refuses(words: Words, chance: random.Random) -> Reply:
    return Reply(status=chance.choice([400, 401, 403, 404]))


MOODS: dict[Mood, int] = {  # How likely each mood is.
    good: 30,
    quick: 10,
    slow: 6,
    drips: 4,
    cut: 8,
    silent: 5,
    endless: 3,
    garbage: 4,
    a_page: 1,
    too_many: 4,
    overloaded: 4,
    refuses: 2,
}


class FickleProvider(Provider):
    """Chooses a mood by the seed, the question and how often it was asked, and not by the time."""

    def __init__(self, seed: object) -> None:
        super().__init__()
        self.seed = seed
        self.asked_of: Counter[str] = Counter()

    def take(self, received: Received) -> Reply:
        super().take(received)
        with self._lock:
            sent = self.requests.pop()
            self.received.clear()
            question = sent["messages"][-1]["content"]
            self.asked_of[question] += 1
        chance = random.Random(f"{self.seed} {question} {self.asked_of[question]}")
        (mood,) = chance.choices(list(MOODS), list(MOODS.values()))
        most = ENDLESS if mood is endless else chance.randint(5, 60)
        words = list(islice(words_to(question), most))
        return mood(words, chance)
