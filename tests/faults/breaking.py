"""Threads that kill servers and disturb connections, in an order that a seed determines."""

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from tests.faults.figures import Figures
from tests.faults.proxy import Manner, Proxy
from tests.servers import AppServer
from tests.workers import WorkerProcess

Victim: TypeAlias = AppServer | WorkerProcess
MANNERS = (
    Manner(delay=0.05),
    Manner(piece=7, delay=0.002),
    Manner(rate=20_000),
)


class Breaker(threading.Thread):
    """A thread that breaks something, again and again, until it is told to stop."""

    def __init__(self, seed: str, figures: Figures) -> None:
        super().__init__(name=seed, daemon=True)
        self.enough = threading.Event()
        self.fault: BaseException | None = None
        self.figures = figures
        self.chance = random.Random(seed)

    def run(self) -> None:
        try:
            while not self.enough.wait(self.pause()):
                self.break_one()
        except BaseException as error:
            self.fault = error

    def pause(self) -> float:
        """Return how many seconds to wait before breaking something."""
        raise NotImplementedError

    def break_one(self) -> None:
        raise NotImplementedError


class Killer(Breaker):
    """Kills a process and starts it again; one time in ten, kills it once more while it starts."""

    def __init__(
        self, seed: str, figures: Figures, victims: Sequence[Victim], life: tuple[float, float]
    ) -> None:
        super().__init__(seed, figures)
        self._victims, self._life = victims, life

    def pause(self) -> float:
        return self.chance.uniform(*self._life)

    def break_one(self) -> None:
        victim = self.chance.choice(self._victims)
        self.figures.era += 1
        victim.kill()
        began = time.monotonic()
        victim.begin()
        self._count(victim)
        if self.chance.random() < 0.1:
            self.enough.wait(self.chance.uniform(0, 1))
            victim.kill()
            victim.begin()
            self._count(victim)
            self.figures.count("kills at the start")
        victim.wait_until_it_answers()
        self.figures.era += 1
        self.figures.took("start after a kill", time.monotonic() - began)

    def _count(self, victim: Victim) -> None:
        self.figures.count("kills")
        if isinstance(victim, WorkerProcess):
            self.figures.count("kills of workers")


class Disturber(Breaker):
    """Disturbs connections: mostly those of tabs, seldom those to the database and to Redis."""

    def __init__(
        self, seed: str, figures: Figures, proxies: Mapping[str, Proxy], per_second: float
    ) -> None:
        super().__init__(seed, figures)
        self._proxies, self._per_second = proxies, per_second

    def pause(self) -> float:
        return self.chance.expovariate(self._per_second)

    def break_one(self) -> None:
        behind = [name for name in self._proxies if name != "tabs"]
        name = "tabs"
        if behind and self.chance.random() < 0.05:
            name = self.chance.choice(behind)
        ways: dict[Callable[[Proxy], None], int] = {
            self._cut: 5, self._reset: 5, self._freeze: 1, self._misbehave: 1
        }  # fmt: skip
        (way,) = self.chance.choices(list(ways), list(ways.values()))
        way(self._proxies[name])

    def _cut(self, proxy: Proxy) -> None:
        self._count(proxy, proxy.cut(self.chance.randint(1, 2)))

    def _reset(self, proxy: Proxy) -> None:
        self._count(proxy, proxy.reset(self.chance.randint(1, 2)))

    def _count(self, proxy: Proxy, broken: int) -> None:
        name = next(name for name, each in self._proxies.items() if each is proxy)
        self.figures.count("cuts" if name == "tabs" else f"cuts, {name}", broken)

    def _freeze(self, proxy: Proxy) -> None:
        self.figures.count("freezes")
        with proxy.frozen():
            self.enough.wait(self.chance.uniform(0.1, 0.8))

    def _misbehave(self, proxy: Proxy) -> None:
        with proxy.behaving(self.chance.choice(MANNERS)):
            self.enough.wait(self.chance.uniform(0.2, 0.8))
