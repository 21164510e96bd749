"""Measure what one hostile client at its worst costs others: `python -m bench hostile`.

The app runs with the limits of production and the descriptors that a service manager gives it.
During each attack of bench/hostile_client.py, another person opens their chat again and again, each
time on a new connection. Targets: 300 ms for 95 of 100 pages, 600 MB for the server.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE
from time import perf_counter

import httpx

from bench.hostile_client import ATTACKS
from bench.tables import milliseconds, print_table
from tests.people import Person
from tests.provider import Provider, Reply
from tests.servers import AppServer, manage, migrated_folder

PAGE_MS, MEGABYTES = 300, 600
DESCRIPTORS = 1_024  # The soft limit that systemd gives a service.
PRODUCTION = {
    "DJANGO_ENV": "production",
    "SECRET_KEY": "only-for-measuring-0123456789-abcdefghijklmnopqrstuvwxyz",
    "ALLOWED_HOSTS": "127.0.0.1",
    "ANONYMOUS_CHAT": "true",
}
LONG_ANSWER = ["A line of an answer that is a megabyte long. " * 20 + "\n\n"] * 1_100
WARM_UP = 5  # Pages.


@dataclass(frozen=True)
class Measured:
    """How long the pages took, in milliseconds, and the server's memory then, in megabytes."""

    name: str
    times: list[float]
    memory: float
    seen: str

    @property
    def p95(self) -> float:
        return sorted(self.times)[int(len(self.times) * 0.95)]

    @property
    def row(self) -> list[str]:
        middle, worst = statistics.median(self.times), max(self.times)
        times = [milliseconds(each) for each in (middle, self.p95, worst)]
        return [self.name, *times, f"{self.memory:.0f} MB", self.seen]


def main() -> int:
    """Run the attacks; the exit code is 1 if a target is missed."""
    with serving() as (server, provider):
        ada = Person(server)
        page = a_chat(ada, provider, Reply(text=["Hello, Ada."]))["url"]
        eve = known_to_the_hostile(server, provider)
        for _ in range(WARM_UP):
            timed(ada, page)
        calm = [timed(ada, page) for _ in range(50)]
        measured = [Measured("nobody attacks", calm, memory(server), "")]
        for names in [*ATTACKS, ",".join(ATTACKS)]:
            measured += [attacked(server, ada, page, names, eve)]
            print(*measured[-1].row, sep=", ", file=sys.stderr, flush=True)
        most = memory(server, "VmHWM")
    head = ["one client at 127.0.0.2", "median", "p95", "worst", "memory", "it was answered"]
    print_table("Another person's page", head, [each.row for each in measured])
    print(f"The most memory: {most:.0f} MB. Aims: p95 under {PAGE_MS} ms, {MEGABYTES} MB.")
    return int(most > MEGABYTES or any(each.p95 > PAGE_MS for each in measured))


@contextmanager
def serving() -> Iterator[tuple[AppServer, Provider]]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as stack:
        provider = stack.enter_context(Provider())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = AppServer(migrated_folder(folder), {**provider.environment, **PRODUCTION})
        stack.callback(server.close)
        server.environment = {**server.environment, "PUBLIC_URL": server.url}
        manage(folder, "collectstatic", "--noinput", **server.environment)
        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, hard))  # It inherits them.
        server.start()
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        yield server, provider


def a_chat(person: Person, provider: Provider, reply: Reply) -> dict[str, str]:
    """Begin a chat; return the ack of its first message, once the answer is complete."""
    provider.script(reply)
    with person.tab() as tab:
        ack, _ = tab.ask("Hello", agent="demo")
    return ack


def known_to_the_hostile(server: AppServer, provider: Provider) -> str:
    """Prepare the attacker's own session, and a chat of its own with a very long answer."""
    eve = Person(server)
    ack = a_chat(eve, provider, Reply(text=LONG_ANSWER))
    cookies = {cookie.name: cookie.value for cookie in eve.http.cookies.jar}
    known = {"conversation": ack["conversation"], "generation": ack["generation"]}
    return json.dumps({"cookies": cookies, **known})


def attacked(server: AppServer, ada: Person, page: str, names: str, eve: str) -> Measured:
    """Let Ada open her page for as long as the attack lasts."""
    command = [sys.executable, "-m", "bench.hostile_client", server.address, names]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as hostile:
        assert hostile.stdin
        assert hostile.stdout
        hostile.stdin.write(eve)
        hostile.stdin.close()
        times = []
        while hostile.poll() is None:
            times.append(timed(ada, page))
            time.sleep(0.05)
        seen = json.loads(hostile.stdout.read() or "{}")
    said = ", ".join(f"{count:,} {what}" for what, count in sorted(seen.items()))
    name = "all of these at once" if "," in names else names.replace("_", " ")
    return Measured(name, times, memory(server), said)


def timed(ada: Person, page: str) -> float:
    """Return the milliseconds for the whole page; a refusal counts as the longest wait."""
    started = perf_counter()
    try:
        with httpx.Client(base_url=ada.server.url, cookies=ada.http.cookies, timeout=60) as client:
            client.get(page).raise_for_status()
    except httpx.HTTPError:
        return 60_000.0
    return (perf_counter() - started) * 1000


def memory(server: AppServer, kind: str = "VmRSS") -> float:
    assert server.process
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith(f"{kind}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(kind)


if __name__ == "__main__":
    sys.exit(main())
