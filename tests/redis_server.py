"""A Redis only for tests, on a free port. It can be paused, stopped, and started again empty."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from tests.patience import PATIENCE
from tests.ports import free_port
from tests.postgres import UNTIL_ITS_INPUT_ENDS

PROGRAM = shutil.which("redis-server")


class RedisServer:
    """A Redis server that stores nothing on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = [
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--daemonize",
            "no",
        ]
        command = [str(PROGRAM), *options, "--dir", str(self.folder)]
        command += ["--pidfile", str(self.folder / "pid")]
        with (self.folder / "redis.log").open("ab") as log:
            shell = ["sh", "-c", UNTIL_ITS_INPUT_ENDS, "sh", *command]
            self.process = subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=log, stderr=log)
        self._wait()

    def stop(self) -> None:
        if self.process is not None:
            self.process.communicate()  # Closes the shell's input, upon which the shell ends Redis.
            self.process = None

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop Redis during the block; afterwards it starts again, empty."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Pause Redis during the block: it accepts connections, but answers nothing."""
        with redis.Redis.from_url(self.url) as client:
            pid: int = client.info("server")["process_id"]
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        with redis.Redis.from_url(self.url) as client:
            while time.monotonic() < deadline:
                try:
                    client.ping()
                except redis.RedisError:
                    time.sleep(0.02)
                else:
                    return
        raise AssertionError((self.folder / "redis.log").read_text())


@contextmanager
def serving(folder: Path) -> Iterator[RedisServer]:
    if PROGRAM is None:
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing("there is no redis-server on this machine")
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
