"""The app as people run it: a process of its own, on a free loopback port."""

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests import data

ROOT = Path(__file__).resolve().parent.parent
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "PYTHONDONTWRITEBYTECODE")  # Of the environment.
START_SECONDS = 90
LOG_SECONDS = 60


def surroundings(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment that contains only what the test says."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    fast = {"DEMO_WORDS_PER_SECOND": "5000", "PYTHONUNBUFFERED": "1"}
    return {**kept, **fast, **data.variables(folder), **environment}


def manage(folder: Path, *arguments: str, **environment: str) -> str:
    """Run a management command and return what it printed; a failure raises with its output."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=surroundings(folder, environment),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"manage.py {' '.join(arguments)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def migrated_folder(folder: Path) -> Path:
    data.make(folder)
    manage(folder, "migrate", "--verbosity", "0")
    manage(folder, "bootstrap")
    return folder


class AppServer:
    """Start, kill, start again: the port stays, since the test holds the listening socket."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.url = f"http://{self.address}"
        self.log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.descriptors: int | None = None  # The most it may have open; None: as many as we may.
        self.closing: list[Callable[[], None]] = []  # What clients of it leave open.

    def start(self) -> None:
        descriptor = self.listener.fileno()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--fd", str(descriptor)],
                cwd=ROOT,
                env=surroundings(self.folder, self.environment),
                pass_fds=[descriptor],
                preexec_fn=self._limit if self.descriptors else None,  # noqa: PLW1509 -- no threads
                stdout=log,
                stderr=log,
            )
        self._wait_until_it_answers()

    def _limit(self) -> None:
        most = self.descriptors or resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process is not None and self.process.poll() is not None:
                break
            try:
                httpx.get(f"{self.url}/healthz", timeout=5)
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError(f"the server did not start:\n{self.log.read_text()}")

    def kill(self) -> None:
        """kill -9: nothing in the process gets to say goodbye."""
        self._signal(signal.SIGKILL)

    def terminate(self) -> int:
        """Stop it as a service manager does; return the exit code."""
        return self._signal(signal.SIGTERM)

    def _signal(self, number: int) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(number)
        code = self.process.wait(timeout=60)
        self.process = None
        return code

    def close(self) -> None:
        for close in self.closing:
            close()
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=60)
        self.listener.close()

    def rows(self, query: str, *parameters: object) -> list[tuple]:
        """Read rows of the database without the app."""
        return data.execute(self.folder, query, *parameters)

    def statuses(self) -> list[str]:
        """Return the status of each generation."""
        return [status for (status,) in self.rows("SELECT status FROM history_generation")]

    def wait_for_log(self, text: str) -> None:
        """Wait until this much of an answer is in the event log, which is written every 200 ms."""
        deadline = time.monotonic() + LOG_SECONDS
        while time.monotonic() < deadline:
            query = "SELECT CAST(payload AS text) FROM history_generationevent"
            rows = self.rows(f"{query} WHERE kind = 'delta'")
            if text in "".join(payload for (payload,) in rows):
                return
            time.sleep(0.02)
        raise AssertionError(f"{text!r} never reached the event log")

    def write(self, statement: str, *parameters: object) -> None:
        data.execute(self.folder, statement, *parameters)


@contextmanager
def running(migrated: Path, folder: Path, **environment: str) -> Iterator[AppServer]:
    """The app on a copy of a migrated folder."""
    data.copy(migrated, folder)
    server = AppServer(folder, environment)
    try:
        server.start()
        yield server
    finally:
        server.close()
