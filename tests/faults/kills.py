"""Kill every part of a cluster at random moments while people chat: `python -m tests.faults.kills`.

Nothing else goes wrong: the provider answers every question steadily, and no connection is
disturbed. So whatever is lost, doubled, late or billed twice is due to a kill. A seed decides what
is killed.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from deploy.cluster import services
from tests import postgres
from tests.clusters import Cluster, clustered
from tests.faults.breaking import Breaker, Victim
from tests.faults.chatter import Chatter, Watched
from tests.faults.figures import Figures
from tests.faults.rig import UNLIMITED, audited, ended, said
from tests.faults.soak import say
from tests.faults.steady import SteadyOpenAI, SteadyProvider
from tests.faults.told import Told
from tests.patience import eventually
from tests.people import Person
from tests.servers import migrated_folder

KINDS = ("server", "worker", "Redis", "proxy", "database")
PAUSES = (0.5, 2.0)  # Seconds from the end of one kill to the next, at least and at most.
COMMITS = "synchronous_commit=on"  # Otherwise the newest commits would be lost with a backend.
LATE = 10.0  # The most seconds to catch up after a kill, or between two events.
BACKENDS = """SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND client_addr IS NOT NULL"""
ENDS = """SELECT concat_ws(', ', status, error->>'kind'), COUNT(*)
    FROM history_generation GROUP BY 1"""
BILLS = """SELECT asked.text, COUNT(*) FROM history_message AS asked
    JOIN history_generation AS answer
    ON answer.conversation_id = asked.conversation_id AND answer.turn = asked.turn
    WHERE asked.role = 'user' GROUP BY asked.text"""


class PatientChatter(Chatter):
    """Somebody who never presses Stop, and notes how long an unfinished answer was silent."""

    _heard = 0.0

    def _watch(self, generation: str, *, is_retry: bool = False) -> None:
        super()._watch(generation, is_retry=is_retry)
        assert self._watched
        self._watched.stop_at = sys.maxsize
        self._heard = time.monotonic()

    def _event(self, tab: Any, watched: Watched, frame: dict[str, Any]) -> None:
        now = time.monotonic()
        self._figures.took("an unfinished answer says nothing", now - self._heard)
        self._heard = now
        super()._event(tab, watched, frame)

    def _go_on(self, watched: Watched, status: str) -> None:
        self._figures.took("an unfinished answer says nothing", time.monotonic() - self._heard)
        super()._go_on(watched, status)

    def _lose_patience(self, tab: Any) -> None:
        """Keep waiting."""


@dataclass
class Killings:
    """The kinds of processes to kill, and the shortest and the longest pause between two kills. The
    provider goes on with its answers if they are `in_background`.
    """

    kinds: list[str]
    pauses: tuple[float, float] = PAUSES
    in_background: bool = False


class Assassin(Breaker):
    """Kills each kind of process as often as asked, in an order that the seed determines."""

    def __init__(self, seed: str, figures: Figures, cluster: Cluster, plan: Killings) -> None:
        super().__init__(seed, figures)
        self._cluster, self._proxy = cluster, cluster.proxy
        self._left, self._pauses = plan.kinds, plan.pauses
        self.chance.shuffle(self._left)

    @property
    def is_done(self) -> bool:
        return not self._left

    def pause(self) -> float:
        return self.chance.uniform(*self._pauses)

    def break_one(self) -> None:
        if self.is_done:
            return
        kind = self._left[-1]
        ways: dict[str, Callable[[], None]] = {
            "server": lambda: self._restart(self.chance.choice(self._cluster.servers)),
            "worker": lambda: self._restart(self.chance.choice(self._cluster.workers)),
            "Redis": self._redis,
            "proxy": self._caddy,
            "database": self._backend,
        }
        self.figures.era += 1
        ways[kind]()
        self.figures.era += 1
        self.figures.count("kills")
        self.figures.count(f"kills, {kind}")
        self._left.pop()

    @staticmethod
    def _restart(victim: Victim) -> None:
        victim.kill()
        victim.begin()
        victim.wait_until_it_answers()

    def _redis(self) -> None:
        redis = self._cluster.redis
        os.kill(int((redis.folder / "pid").read_text()), signal.SIGKILL)
        redis.stop()
        redis.start()

    def _caddy(self) -> None:
        os.kill(self._proxy.pid, signal.SIGKILL)
        self._proxy.stop()
        ports = [server.listener.getsockname()[1] for server in self._cluster.servers]
        port = int(self._cluster.door.address.rpartition(":")[2])
        self._proxy, _ = services.start_proxy(self._proxy.log.parent, ports, port)

    def _backend(self) -> None:
        """Kill one backend; PostgreSQL then ends all others, and recovers."""
        door = self._cluster.door
        assert eventually(lambda: door.rows(BACKENDS))
        pids = [pid for (pid,) in door.rows(BACKENDS)]
        with suppress(ProcessLookupError):
            os.kill(self.chance.choice(pids), signal.SIGKILL)
        assert eventually(lambda: _answers(lambda: door.rows("SELECT 1")))

    def close(self) -> None:
        self._proxy.stop()


def _answers(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except psycopg.Error:
        return False
    return True


@dataclass
class Result:
    """The figures of a run, and a sentence for each fault."""

    figures: Figures = field(default_factory=Figures)
    faults: list[str] = field(default_factory=list)


def played(migrated: Path, folder: Path, seed: str, kills: Killings, people: int) -> Result:
    """Let people chat until all these kinds of processes were killed; then audit."""
    result, told = Result(), Told()
    steady = SteadyOpenAI() if kills.in_background else SteadyProvider()
    with steady as provider, ExitStack() as stack:
        own = {**provider.environment, **UNLIMITED, "OPEN_ANSWERS": "0"}
        cluster = stack.enter_context(clustered(migrated, folder, **own))
        stack.callback(provider.release)
        assassin = Assassin(f"{seed} kills", result.figures, cluster, kills)
        stack.callback(assassin.close)
        chatters = [
            PatientChatter(Person(cluster.door), f"{seed} {number}", told, result.figures)
            for number in range(people)
        ]
        actors: list[Chatter | Breaker] = [*chatters, assassin]
        for actor in actors:
            actor.start()
        while not assassin.is_done and not any(actor.fault for actor in actors):
            time.sleep(0.1)
        result.faults += [*ended(assassin), *ended(*chatters)]
        if not eventually(lambda: not cluster.door.is_answering()):
            result.faults.append("an answer goes on for ever")
        for end, count in cluster.door.rows(ENDS):
            result.figures.count(f"stored as {end}", count)
        result.faults += [*billed(cluster, provider), *late(result.figures)]
        for check, found in audited(folder, own, told).items():
            result.faults += [f"{check}: {each}" for each in found]
        if result.faults:
            result.faults += [*map(said, cluster.servers), *map(said, cluster.workers)]
    return result


def billed(cluster: Cluster, provider: SteadyProvider | SteadyOpenAI) -> Iterator[str]:
    """Check that the provider was asked no more often than there are answers to a question."""
    answers: dict[str, int] = dict(cluster.door.rows(BILLS))
    for question, count in provider.asked_of.items():
        if count > answers.get(question, 0):
            yield f"{question!r} was asked {count} times for {answers.get(question, 0)} answers"


def late(figures: Figures) -> Iterator[str]:
    for name, found in figures.seconds.items():
        if beyond := [each for each in found if each > LATE]:
            yield f"{name}: {len(beyond)} of {len(found)} are late, at most {max(beyond):.1f} s"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=200, help="kills of each kind of process")
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--pauses", nargs=2, type=float, default=PAUSES, help="from and to, in s")
    parser.add_argument("--background", action="store_true", help="answers go on without us")
    options = parser.parse_args()
    kinds, pauses = [*options.kinds] * options.each, tuple(options.pauses)
    kills = Killings(kinds, pauses, in_background=options.background)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vitrine-")))
        durable = stack.enter_context(postgres.made(COMMITS))
        os.environ["DATABASE_URL"] = stack.enter_context(durable.started())
        migrated = migrated_folder(folder / "migrated")
        data_folder = folder / "data"
        result = played(migrated, data_folder, options.seed, kills, options.people)
    longest = {name: max(found) for name, found in result.figures.seconds.items()}
    lines = [f"seed: {options.seed}", *result.figures.lines()]
    lines += [f"{name}: at most {most:.1f} s" for name, most in longest.items()]
    say("\n".join([*lines, f"faults: {len(result.faults)}", *result.faults]))
    return int(bool(result.faults))


if __name__ == "__main__":
    sys.exit(main())
