"""Run a round: real servers, a fickle provider, bad connections, people who chat; then audit."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tests import data
from tests.faults.breaking import Breaker, Disturber, Killer
from tests.faults.chatter import Chatter
from tests.faults.fickle import FickleProvider
from tests.faults.figures import Figures
from tests.faults.proxy import Proxy
from tests.faults.told import FOUND, TOLD, Told
from tests.patience import eventually, seconds
from tests.people import Person
from tests.servers import AppServer, manage
from tests.workers import WorkerProcess

UNLIMITED = {"SENDS_PER_MINUTE": "0", "OPEN_ANSWERS_PER_PERSON": "0", "LOG_LEVEL": "WARNING"}
LAST_SECONDS = seconds(150)  # The time in which all threads must end.


@dataclass(frozen=True)
class Round:
    """The options of a round. `life` is how many seconds a server lives, at least and at most."""

    seed: str
    seconds: float = 20.0
    people: int = 4
    life: tuple[float, float] = (0.3, 3.0)
    disturbances: float = 4.0  # On average, each second.


@dataclass
class Outcome:
    """The result of a round: `found` has the audit's faults by check, `wrong` all other faults."""

    figures: Figures = field(default_factory=Figures)
    found: dict[str, list[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """All faults as sentences."""
        of_audit = [f"{check}: {each}" for check, faults in self.found.items() for each in faults]
        return [*self.wrong, *of_audit]


@dataclass
class Rig:
    """The servers, workers and proxies of a round."""

    folder: Path
    own: Mapping[str, str]  # Variables that bypass the proxies.
    servers: Sequence[AppServer]
    workers: Sequence[WorkerProcess]
    proxies: Mapping[str, Proxy]  # By the service; "tabs" leads to the servers.

    def play(self, case: Round) -> Outcome:
        """Let people chat while everything breaks, then audit the database."""
        outcome, told, began = Outcome(), Told(), time.monotonic()
        figures = outcome.figures
        chatters = [
            Chatter(self._person(), f"{case.seed} {number}", told, figures)
            for number in range(case.people)
        ]
        breakers: list[Breaker] = [
            Killer(f"{case.seed} kills", figures, [*self.servers, *self.workers], case.life),
            Disturber(f"{case.seed} lines", figures, self.proxies, case.disturbances),
        ]
        for thread in (*chatters, *breakers):
            thread.start()
        while time.monotonic() < began + case.seconds and not _faults(*chatters, *breakers):
            time.sleep(0.1)
        outcome.wrong += [*ended(*breakers), *ended(*chatters)]
        if not eventually(lambda: not self.servers[0].is_answering()):
            outcome.wrong.append("an answer goes on for ever")
        outcome.found = audited(self.folder, self.own, told)
        if outcome.faults:
            outcome.wrong += [*map(said, self.servers), *map(said, self.workers)]
        figures.count("seconds", round(time.monotonic() - began))
        figures.count("answers", len(self.servers[0].statuses()))
        return outcome

    def _person(self) -> Person:
        """Return a person who reaches the servers through the proxy."""
        door = copy(self.servers[0])
        door.address = f"127.0.0.1:{self.proxies['tabs'].port}"
        door.url = f"http://{door.address}"
        return Person(door)


def audited(folder: Path, own: Mapping[str, str], told: Told) -> dict[str, list[str]]:
    """Audit in a process of its own, with a direct connection to the database."""
    told.write(folder / TOLD)
    code = f"from tests.faults.audit import main; main({str(folder)!r})"
    manage(folder, "shell", "-v", "0", "-c", code, **own)
    found: dict[str, list[str]] = json.loads((folder / FOUND).read_text())
    return found


def said(process: AppServer | WorkerProcess) -> str:
    """Return the end of the process's log, from its last traceback on."""
    text = process.log.read_text()
    return f"{process.log.name}: {text[max(text.rfind('Traceback'), 0) :][-4_000:]}"


def _faults(*threads: Breaker | Chatter) -> list[str]:
    return [f"{thread.name}: {thread.fault!r}" for thread in threads if thread.fault]


def ended(*threads: Breaker | Chatter) -> list[str]:
    """Stop the threads; return their faults."""
    deadline = time.monotonic() + LAST_SECONDS
    for thread in threads:
        thread.enough.set()
    for thread in threads:
        thread.join(max(0, deadline - time.monotonic()))
    late = [f"{thread.name} does not come to an end" for thread in threads if thread.is_alive()]
    return [*_faults(*threads), *late]


@contextmanager
def rig(
    migrated: Path, folder: Path, seed: str, redis_port: int = 0, workers: int = 0
) -> Iterator[Rig]:
    """Run a server on a copy of a migrated folder, or two servers if there is a Redis, all behind
    proxies."""
    data.copy(migrated, folder)
    with ExitStack() as stack:
        provider = stack.enter_context(FickleProvider(seed))
        stack.callback(provider.release)
        own = {**provider.environment, **UNLIMITED}
        proxies, reached = _behind_proxies(stack, folder, seed, redis_port)
        through = {**own, **reached, **({"GENERATION_EXECUTOR": "worker"} if workers else {})}
        servers = [AppServer(folder, through) for _ in range(2 if redis_port else 1)]
        for number, server in enumerate(servers):
            stack.callback(server.close)
            server.log = folder / f"server{number}.log"
            server.start()
        logs = [folder / f"worker{number}.log" for number in range(workers)]
        writers = [WorkerProcess(folder, through, log) for log in logs]
        for worker in writers:
            stack.callback(worker.close)
            worker.start()
        ports = [server.listener.getsockname()[1] for server in servers]
        proxies["tabs"] = stack.enter_context(Proxy(ports, f"{seed} tabs"))
        yield Rig(folder, own, servers, writers, proxies)


def _behind_proxies(
    stack: ExitStack, folder: Path, seed: str, redis_port: int
) -> tuple[dict[str, Proxy], dict[str, str]]:
    """Put proxies before Redis and PostgreSQL if they are used; return proxies and variables."""
    proxies, reached = {}, {}
    if redis_port:
        proxies["Redis"] = redis = stack.enter_context(Proxy([redis_port], f"{seed} Redis"))
        reached["REDIS_URL"] = f"redis://127.0.0.1:{redis.port}/0"
    if url := data.variables(folder).get("DATABASE_URL"):
        port = urlsplit(url).port or 0
        proxies["database"] = base = stack.enter_context(Proxy([port], f"{seed} database"))
        reached["DATABASE_URL"] = url.replace(f":{port}/", f":{base.port}/")
    return proxies, reached
