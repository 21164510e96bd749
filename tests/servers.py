"""The app as a process of its own, on a free loopback port."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

import httpx

from tests import data
from tests.forking import LISTENER, Forked, forker
from tests.patience import PATIENCE, seconds

ROOT = Path(__file__).resolve().parent.parent
# Environment variables that every process inherits.
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "PYTHONDONTWRITEBYTECODE")
FOLLOWS = """
    SELECT 1 FROM history_followup AS waiting WHERE 'done' = (
        SELECT status FROM history_generation AS answer
        WHERE answer.conversation_id = waiting.conversation_id ORDER BY created DESC LIMIT 1
    )
"""  # Finds messages that still wait after their chat's newest answer is done.


def surroundings(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment of the test's variables, and a few inherited ones."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    fast = {"DEMO_WORDS_PER_SECOND": "5000", "PYTHONUNBUFFERED": "1"}
    return {**kept, **fast, **data.variables(folder), **environment}


def manage(folder: Path, *arguments: str, **environment: str) -> str:
    """Run a management command and return its output. On failure, AssertionError contains it."""
    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
        files = [output.fileno(), errors.fileno()]
        done = forker().start(arguments, surroundings(folder, environment), files)
        code = done.wait()
        output.seek(0)
        errors.seek(0)
        if code:
            said = output.read() + errors.read()
            raise AssertionError(f"manage.py {' '.join(arguments)}:\n{said}")
        return output.read()


def migrated_folder(folder: Path) -> Path:
    data.make(folder)
    manage(folder, "migrate", "--verbosity", "0")
    manage(folder, "bootstrap")
    return folder


class AppServer:
    """The app's server. It can be stopped and started again on the same port, because the test
    holds the listening socket.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.url = f"http://{self.address}"
        self.log = folder / "server.log"
        self.process: Forked | None = None
        self.descriptors: int | None = None  # The maximum number of open files; None: unchanged.
        self.closing: list[Callable[[], None]] = []  # Functions that disconnect clients at the end.

    def start(self) -> None:
        self.begin()
        self.wait_until_it_answers()

    def begin(self) -> None:
        """Start the server without waiting for it."""
        with self.log.open("ab") as log:
            self.process = forker().start(
                ["serve", "--fd", LISTENER],
                surroundings(self.folder, self.environment),
                [log.fileno(), log.fileno(), self.listener.fileno()],
                self.descriptors,
            )

    def wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.process is not None and self.process.poll() is not None:
                break
            try:
                httpx.get(f"{self.url}/healthz", timeout=seconds(5))
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError(f"the server did not start:\n{self.log.read_text()}")

    def kill(self) -> None:
        """Kill the server with SIGKILL, so that it can neither finish nor store anything."""
        self._signal(signal.SIGKILL)

    def terminate(self) -> int:
        """Stop the server with SIGTERM, as a service manager does; return its exit code."""
        return self._signal(signal.SIGTERM)

    def _signal(self, number: int) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(number)
        code = self.process.wait(timeout=PATIENCE)
        self.process = None
        return code

    def close(self) -> None:
        for close in self.closing:
            close()
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=PATIENCE)
        self.listener.close()

    def rows(self, query: str, *parameters: object) -> list[tuple]:
        """Read rows from the database without the app."""
        return data.execute(self.folder, query, *parameters)

    def statuses(self) -> list[str]:
        """Return the status of each generation."""
        return [status for (status,) in self.rows("SELECT status FROM history_generation")]

    def is_answering(self) -> bool:
        """Whether an answer is queued or running, or a waiting message is about to get one."""
        return not {"queued", "running"}.isdisjoint(self.statuses()) or bool(self.rows(FOLLOWS))

    def wait_for_log(self, text: str) -> None:
        """Wait until the stored events contain this text; they are stored every 200 ms."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            query = "SELECT CAST(payload AS text) FROM history_generationevent"
            rows = self.rows(f"{query} WHERE kind = 'delta'")
            if text in "".join(payload for (payload,) in rows):
                return
            time.sleep(0.02)
        raise AssertionError(f"{text!r} never reached the event log")

    def write(self, statement: str, *parameters: object) -> None:
        data.execute(self.folder, statement, *parameters)


class FreshServer(AppServer):
    """A server started without the helper process, so that it imports only what it needs."""

    def begin(self) -> None:
        listener = self.listener.fileno()
        command = [sys.executable, "manage.py", "serve", "--fd", str(listener)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # type: ignore[assignment]
                command,
                env=surroundings(self.folder, self.environment),
                pass_fds=[listener],
                stdout=log,
                stderr=log,
            )


@contextmanager
def running(migrated: Path, folder: Path, **environment: str) -> Iterator[AppServer]:
    """Run the app on a copy of a migrated data folder during the block."""
    data.copy(migrated, folder)
    server = AppServer(folder, environment)
    try:
        server.start()
        yield server
    finally:
        server.close()
