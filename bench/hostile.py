"""Measure how much one hostile client slows the app for others: `python -m bench hostile`.

The app runs with the limits of production and the file descriptors that systemd allows a service.
During each attack of bench/hostile_client.py, another person opens their chat again and again, and
attaches small files, each time on a new connection. Targets: 95 of 100 pages within 300 ms, 95 of
100 files within 2 s, and a server that takes at most 600 MB.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE
from time import perf_counter

import httpx

from bench.hostile_client import ATTACKS
from bench.tables import milliseconds, print_table
from deploy.cluster import services
from deploy.cluster.programs import Program
from tests.people import Person
from tests.provider import Provider, Reply
from tests.servers import AppServer, manage, migrated_folder

PAGE_MS, FILE_MS, MEGABYTES = 300, 2_000, 600
DESCRIPTORS = 1_024  # systemd's usual soft limit on a service's file descriptors.
PRODUCTION = {
    "DJANGO_ENV": "production",
    "SECRET_KEY": "only-for-measuring-0123456789-abcdefghijklmnopqrstuvwxyz",
    "ALLOWED_HOSTS": "127.0.0.1",
    "ANONYMOUS_CHAT": "true",
    "FILES_PER_MINUTE": "0",  # No limit, which would end the attack that sends files.
}
LONG_ANSWER = ["A line of an answer that is a megabyte long. " * 20 + "\n\n"] * 1_100
WARM_UP = 5  # The number of pages opened before measuring.


@dataclass(frozen=True)
class Measurement:
    """How long pages and files took, in milliseconds, and the server's memory, in megabytes."""

    name: str
    times: list[float]
    files: list[float]
    memory: float
    seen: str

    @property
    def p95(self) -> float:
        return p95(self.times)

    @property
    def row(self) -> list[str]:
        middle, worst = statistics.median(self.times), max(self.times)
        times = [middle, self.p95, worst, p95(self.files)]
        return [self.name, *map(milliseconds, times), f"{self.memory:.0f} MB", self.seen]


def p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def main() -> int:
    """Run the attacks; the exit code is 1 if a target is missed."""
    with serving(behind_proxy="--proxy" in sys.argv) as (server, provider):
        ada = Person(server)
        page = a_chat(ada, provider, Reply(text=["Hello, Ada."]))["url"]
        eve = known_to_the_hostile(server, provider)
        for _ in range(WARM_UP):
            timed(ada, page)
        calm = [timed(ada, page) for _ in range(50)]
        files = [timed_file(ada) for _ in range(5)]
        measured = [Measurement("nobody attacks", calm, files, memory(server), "")]
        for names in [*ATTACKS, ",".join(ATTACKS)]:
            measured += [attacked(server, ada, page, names, eve)]
            print(*measured[-1].row, sep=", ", file=sys.stderr, flush=True)
        most = memory(server, "VmHWM")
    head = ["one client at 127.0.0.2", "median", "p95", "worst", "p95 of files", "memory"]
    head += ["it was answered"]
    print_table("Another person's page", head, [each.row for each in measured])
    aims = f"p95 under {PAGE_MS} ms, of files {FILE_MS} ms; {MEGABYTES} MB"
    print(f"The most memory: {most:.0f} MB. Aims: {aims}.")
    is_slow = any(each.p95 > PAGE_MS or p95(each.files) > FILE_MS for each in measured)
    return int(most > MEGABYTES or is_slow)


@contextmanager
def serving(*, behind_proxy: bool) -> Iterator[tuple[AppServer, Provider]]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as stack:
        provider = stack.enter_context(Provider())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = AppServer(migrated_folder(folder), {**provider.environment, **PRODUCTION})
        stack.callback(server.close)
        if behind_proxy:
            stack.callback(put_proxy_before(server, folder).stop)
        server.environment = {**server.environment, "PUBLIC_URL": server.url}
        manage(folder, "collectstatic", "--noinput", **server.environment)
        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, hard))  # The server inherits this.
        server.start()
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        yield server, provider


def put_proxy_before(server: AppServer, folder: Path) -> Program:
    """Start Caddy, and let the server's address be Caddy's."""
    port = server.listener.getsockname()[1]
    proxy, server.url = services.start_proxy(folder, [port])
    server.address = server.url.removeprefix("http://")
    server.environment = {**server.environment, "TRUSTED_PROXIES": "127.0.0.1"}
    return proxy


def a_chat(person: Person, provider: Provider, reply: Reply) -> dict[str, str]:
    """Begin a chat; return the ack of its first message, once the answer is complete."""
    provider.script(reply)
    with person.tab() as tab:
        ack, _ = tab.ask("Hello", agent="demo")
    return ack


def known_to_the_hostile(server: AppServer, provider: Provider) -> str:
    """Prepare an attacker's session and a chat with a very long answer; return both as JSON."""
    eve = Person(server)
    ack = a_chat(eve, provider, Reply(text=LONG_ANSWER))
    cookies = {cookie.name: cookie.value for cookie in eve.http.cookies.jar}
    known = {"conversation": ack["conversation"], "generation": ack["generation"]}
    return json.dumps({"cookies": cookies, **known})


def attacked(server: AppServer, ada: Person, page: str, names: str, eve: str) -> Measurement:
    """Open Ada's page and attach files for her, again and again, until the attack ends."""
    command = [sys.executable, "-m", "bench.hostile_client", server.address, names]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as hostile:
        assert hostile.stdin
        assert hostile.stdout
        hostile.stdin.write(eve)
        hostile.stdin.close()
        with ThreadPoolExecutor(1) as beside:
            attaching = beside.submit(attached_during, hostile, ada)
            times = []
            while hostile.poll() is None:
                times.append(timed(ada, page))
                time.sleep(0.05)
        seen = json.loads(hostile.stdout.read() or "{}")
    said = ", ".join(f"{count:,} {what}" for what, count in sorted(seen.items()))
    name = "all of these at once" if "," in names else names.replace("_", " ")
    return Measurement(name, times, attaching.result(), memory(server), said)


def attached_during(hostile: "subprocess.Popen[str]", ada: Person) -> list[float]:
    times = []
    while hostile.poll() is None:
        times.append(timed_file(ada))
        time.sleep(0.5)
    return times


def timed(ada: Person, page: str) -> float:
    """Return the milliseconds that loading the whole page takes."""
    return milliseconds_for(ada, lambda client: client.get(page))


def timed_file(ada: Person) -> float:
    """Return the milliseconds that attaching a small file takes."""
    file = {"file": ("a.txt", b"Hello.", "text/plain")}
    return milliseconds_for(
        ada, lambda client: client.post("/api/attachments", files=file, headers=ada.headers)
    )


def milliseconds_for(ada: Person, ask: Callable[[httpx.Client], httpx.Response]) -> float:
    """Return the milliseconds of a request on a new connection; a failure counts as 60 seconds."""
    started = perf_counter()
    try:
        with httpx.Client(base_url=ada.server.url, cookies=ada.http.cookies, timeout=60) as client:
            ask(client).raise_for_status()
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
