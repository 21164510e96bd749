"""A PostgreSQL of the tests' own: made, started and thrown away, on a free port of this machine."""

import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

from deploy import postgresql

USER = "vitrine"
START_SECONDS = 60
SETTINGS = (  # Nothing here outlives the run, so nothing need be safe on the disk.
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=300",
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
)
UNTIL_ITS_INPUT_ENDS = '"$@" & read -r _; kill -INT $!; wait'  # Even if the tests are killed.


@contextmanager
def serving() -> Iterator[str]:
    """A server of its own for as long as this lasts: the URL of its database `postgres`."""
    programs = postgresql.find()
    if programs is None:
        raise RuntimeError(f"PostgreSQL {postgresql.OLDEST} or newer is not installed")
    with TemporaryDirectory(prefix="vitrine-", ignore_cleanup_errors=True) as folder:
        password = secrets.token_urlsafe(12)
        _make(programs, Path(folder), password)
        with _started(programs, Path(folder), password) as url:
            yield url


def _make(programs: Path, folder: Path, password: str) -> None:
    (folder / "password").write_text(password)
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
        shutil.chown(folder / "password", "nobody")
    options = [f"--pgdata={folder / 'data'}", f"--username={USER}", "--no-sync", "--encoding=UTF8"]
    options += ["--locale=C", "--auth=scram-sha-256", f"--pwfile={folder / 'password'}"]
    subprocess.run([programs / "initdb", *options], check=True, capture_output=True, **somebody())


@contextmanager
def _started(programs: Path, folder: Path, password: str) -> Iterator[str]:
    port = free_port()
    command = [str(programs / "postgres"), "-D", str(folder / "data"), "-p", str(port)]
    command += [part for setting in SETTINGS for part in ("-c", setting)]
    shell = ["sh", "-c", UNTIL_ITS_INPUT_ENDS, "sh", *command]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=log, stderr=log, **somebody()),
    ):
        url = f"postgresql://{USER}:{password}@127.0.0.1:{port}/postgres"
        _wait(url, folder / "log")
        yield url


def somebody() -> dict[str, Any]:
    """PostgreSQL refuses to run as root: then it is run by `nobody`."""
    return {"user": "nobody", "extra_groups": [], "cwd": "/"} if os.geteuid() == 0 else {}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def _wait(url: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"PostgreSQL did not start:\n{log.read_text()}")
