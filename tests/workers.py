"""A worker process for tests."""

import re
import signal
import time
from collections.abc import Mapping
from pathlib import Path

from tests.forking import Forked, forker
from tests.patience import PATIENCE
from tests.servers import surroundings

READY = re.compile(r"The worker (\S+) is ready")


class WorkerProcess:
    """A worker that can be stopped, killed and started again; the log identifies it by `name`."""

    def __init__(self, folder: Path, environment: Mapping[str, str], log: Path) -> None:
        self.folder = folder
        self.environment = environment
        self.log = log
        self.name = ""
        self.process: Forked | None = None
        self._before = 0  # How many workers had logged "ready" before.

    def start(self) -> None:
        self.begin()
        self.wait_until_it_answers()

    def begin(self) -> None:
        """Start the worker without waiting for it."""
        self._before = len(self._names())
        with self.log.open("ab") as log:
            files = [log.fileno(), log.fileno()]
            variables = surroundings(self.folder, self.environment)
            self.process = forker().start(["worker"], variables, files)

    def wait_until_it_answers(self) -> None:
        """Wait until the worker's log says that it is ready."""
        deadline = time.monotonic() + PATIENCE
        while len(names := self._names()) == self._before:
            if (
                self.process is None
                or self.process.poll() is not None
                or time.monotonic() > deadline
            ):
                raise AssertionError(f"the worker did not start:\n{self.log.read_text()}")
            time.sleep(0.05)
        self.name = names[-1]

    def _names(self) -> list[str]:
        return READY.findall(self.log.read_text()) if self.log.exists() else []

    def tell(self, number: int = signal.SIGTERM) -> None:
        """Send the worker a signal without waiting for its end."""
        assert self.process is not None
        self.process.send_signal(number)

    def ended(self) -> int:
        """Wait until the worker has ended; return its exit code."""
        assert self.process is not None
        code = self.process.wait(timeout=PATIENCE)
        self.process = None
        return code

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.tell(number)
        return self.ended()

    def kill(self) -> None:
        self.stop(signal.SIGKILL)

    def close(self) -> None:
        if self.process is not None:
            self.kill()
