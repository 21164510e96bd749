"""A PostgreSQL only for the tests, on a free port; it is deleted after the tests."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

from deploy import postgresql
from tests.patience import PATIENCE

USER = "vitrine"
SETTINGS = (  # The data need not survive a crash, because they are deleted after the run.
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=300",
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
)
UNTIL_ITS_INPUT_ENDS = '"$@" & read -r _; kill -INT $!; wait'  # Ends if the tests are killed.


@contextmanager
def serving() -> Iterator[str]:
    """Run a new PostgreSQL server during the block; yield the URL of its database `postgres`."""
    with made() as cluster, cluster.started() as url:
        yield url


@contextmanager
def made(*settings: str) -> Iterator["Cluster"]:
    """Make a server that can be started and stopped repeatedly. `settings` outrank the list
    SETTINGS.
    """
    programs = postgresql.find()
    if programs is None:
        raise RuntimeError(f"PostgreSQL {postgresql.OLDEST} or newer is not installed")
    with TemporaryDirectory(prefix="vitrine-", ignore_cleanup_errors=True) as folder:
        password = secrets.token_urlsafe(12)
        _make(programs, Path(folder), password)
        yield Cluster(programs, Path(folder), password, (*SETTINGS, *settings), free_port())


def _make(programs: Path, folder: Path, password: str) -> None:
    (folder / "password").write_text(password)
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
        shutil.chown(folder / "password", "nobody")
    options = [f"--pgdata={folder / 'data'}", f"--username={USER}", "--no-sync", "--encoding=UTF8"]
    options += ["--locale=C", "--auth=scram-sha-256", f"--pwfile={folder / 'password'}"]
    subprocess.run([programs / "initdb", *options], check=True, capture_output=True, **somebody())


@dataclass(frozen=True)
class Cluster:
    programs: Path
    folder: Path
    password: str
    settings: tuple[str, ...]
    port: int

    @property
    def url(self) -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/postgres"

    @contextmanager
    def started(self) -> Iterator[str]:
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data")]
        command += ["-p", str(self.port)]
        command += [part for setting in self.settings for part in ("-c", setting)]
        shell = ["sh", "-c", UNTIL_ITS_INPUT_ENDS, "sh", *command]
        with (
            (self.folder / "log").open("ab") as log,
            subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=log, stderr=log, **somebody()),
        ):
            _wait(self.url, self.folder / "log")
            yield self.url

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Pause all of the server's processes: it accepts connections, but answers nothing."""
        server = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        processes = [server, *map(int, children)]
        _signal(processes, signal.SIGSTOP)
        try:
            yield
        finally:
            _signal(processes, signal.SIGCONT)


def _signal(processes: list[int], number: int) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def somebody() -> dict[str, Any]:
    """Choose PostgreSQL's user: `nobody` if we are root, which PostgreSQL refuses."""
    return {"user": "nobody", "extra_groups": [], "cwd": "/"} if os.geteuid() == 0 else {}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def _wait(url: str, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"PostgreSQL did not start:\n{log.read_text()}")
