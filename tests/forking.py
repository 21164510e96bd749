"""Start the app as a process of its own, without importing the libraries again each time.

Each test process has one helper process, which has imported the libraries. The helper forks, and
the new process imports whatever depends on the environment: the app's modules except the core's.
The new process ends with the process that asked for it, however that one ends.
"""

import atexit
import gc
import importlib
import json
import os
import resource
import runpy
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WITH_THE_FIRST_ANSWER = (
    *("openai.resources", "litellm.litellm_core_utils.default_encoding", "litellm.proxy._types"),
    "litellm.proxy._experimental.mcp_server.catalog",
)
LIBRARIES = (
    *("litellm", "openai", "mcp.client", "channels", "uvicorn", "websockets", "aiohttp", "httpx2"),
    *("django.core.management", "django.db.backends.sqlite3.base", "django.test", "psycopg_pool"),
    *("markdown_it", "mdit_py_plugins", "latex2mathml.converter", "pygments.lexers", "nh3"),
    *("tiktoken", "PIL.Image", "pypdf", "ijson", "cryptography.fernet", "whitenoise", "jinja2"),
    *("uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto", "uvicorn.loops.auto"),
    "anyio._backends._asyncio",
    *WITH_THE_FIRST_ANSWER,
)
LISTENER = "{listener}"  # An argument that stands for the listening socket's number.
MOST = 65_536  # The maximum number of bytes in one read.


class Forked:
    """A process forked by the helper, with the methods of `subprocess.Popen` that tests use."""

    def __init__(self, life: socket.socket) -> None:
        # The process sends its id on this socket when it starts, and its exit code when it ends.
        self._life = life
        self.pid = int(life.recv(MOST))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._life.settimeout(timeout)
            try:
                told = self._life.recv(MOST)
            except (TimeoutError, BlockingIOError) as error:
                raise subprocess.TimeoutExpired("manage.py", timeout or 0) from error
            self._life.close()
            self.returncode = int(told)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Forker:
    """The helper process that forks. The tests send it requests through a socket."""

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._control, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-u", "-m", "tests.forking", str(number)],
                cwd=ROOT,
                env=prepared(os.environ),
                pass_fds=[number],
            )
        atexit.register(self.close)

    def start(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        files: Sequence[int],
        descriptors: int | None = None,
    ) -> Forked:
        """Run manage.py. The open files to use are its output, its errors, and for a server its
        listening socket. `descriptors` limits how many files the process may have open.
        """
        ours, theirs = socket.socketpair()
        asked = {
            "arguments": list(arguments),
            "environment": dict(environment),
            "descriptors": descriptors,
        }
        with theirs, self._asking:
            message = json.dumps(asked).encode() + b"\n"
            socket.send_fds(self._control, [message], [theirs.fileno(), *files])
            return Forked(ours)

    def close(self) -> None:
        self._control.close()
        self._process.wait()


@cache
def forker() -> Forker:
    """Return this test process's helper; start it the first time."""
    return Forker()


def prepared(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that libraries read on import, as `chatapp.env` would set them."""
    kept = {name: environment[name] for name in ("PATH", "HOME", "LANG") if name in environment}
    spec: Any = find_spec("litellm")
    encodings = Path(spec.submodule_search_locations[0]) / "litellm_core_utils" / "tokenizers"
    return kept | {
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_MODE": "PRODUCTION",
        "TIKTOKEN_CACHE_DIR": str(encodings),
    }


def main() -> None:
    gc.disable()
    for name in (*LIBRARIES, *modules("history.core"), "history.wording"):
        importlib.import_module(name)
    gc.freeze()
    gc.enable()
    assert threading.active_count() == 1, threading.enumerate()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The tests end the helper; Ctrl+C must not.
    signal.signal(signal.SIGCHLD, reap)
    with socket.socket(fileno=int(sys.argv[1])) as control:
        asked = forked(control)
    if asked:
        become(**asked)


def modules(package: str) -> Iterator[str]:
    """Yield the names of all modules in a package."""
    found = importlib.import_module(package)
    for _, name, _ in walk_packages(found.__path__, f"{package}."):
        yield name


def reap(*_: object) -> None:
    """Collect the exit codes of ended children, so that none stays a zombie."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def forked(control: socket.socket) -> dict[str, Any] | None:
    """Fork for each request. Return the request in each new process, but None in the helper once
    the tests close the socket.
    """
    while True:
        told, files, _, _ = socket.recv_fds(control, MOST, 4)
        if not told:
            return None
        while not told.endswith(b"\n"):
            told += control.recv(MOST)
        life, *passed = files
        if os.fork() == 0 and keep(life):
            return {**json.loads(told), "files": passed}
        for number in files:
            os.close(number)


def keep(life: int) -> bool:
    """Fork again. The parent reports the child's id and exit code; in the child, return True."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if pid := os.fork():
        threading.Thread(target=end_together, args=(life, pid), daemon=True).start()
        tell(life, pid)
        _, status = os.waitpid(pid, 0)
        tell(life, os.waitstatus_to_exitcode(status))
        os._exit(0)
    os.close(life)
    return True


def tell(life: int, number: int) -> None:
    with suppress(BrokenPipeError):
        os.write(life, str(number).encode())


def end_together(life: int, pid: int) -> None:
    """Kill the process `pid` as soon as the test process has ended."""
    os.read(life, 1)  # Nobody writes here, so the read returns when the other side is closed.
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def become(
    arguments: list[str],
    environment: dict[str, str],
    descriptors: int | None,
    files: list[int],
) -> None:
    """Run manage.py in this process with the given arguments, environment and files."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, file in zip((1, 2), files, strict=False):
        os.dup2(file, number)
        os.close(file)
    if descriptors:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["manage.py", *(each.replace(LISTENER, str(files[-1])) for each in arguments)]
    runpy.run_path("manage.py", run_name="__main__")


if __name__ == "__main__":
    main()
