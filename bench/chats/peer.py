"""An app that others make, in an environment of its own."""

import os
import subprocess
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar, Self

import httpx

from bench.chats.app import App
from tests.ports import free_port

PATIENCE = 180  # Seconds until the server must answer.
CLOSING_SECONDS = 20
VERSION = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"


class Peer(App):
    """An app whose server the Python of another environment runs. The variable that is named
    `variable` says which Python; `usual` is where `make bench` installs one.
    """

    package: ClassVar[str]
    variable: ClassVar[str]
    usual: ClassVar[Path | None] = None

    def __init__(self, folder: Path, provider: str) -> None:
        self.folder = folder
        self.provider = provider
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.address}"
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def python(cls) -> Path | None:
        named = os.environ.get(cls.variable)
        return Path(named) if named else cls.usual

    @classmethod
    def title(cls) -> str | None:
        if python := cls.python():
            command = [str(python), "-c", VERSION, cls.package]
            with suppress(OSError, subprocess.CalledProcessError):
                told = subprocess.run(command, capture_output=True, text=True, check=True)
                return f"{cls.name} {told.stdout.strip()}"
        return None

    @classmethod
    @contextmanager
    def serving(cls, folder: Path, provider: str) -> Iterator[Self]:
        app = cls(folder, provider)
        try:
            app.start()
            yield app
        finally:
            app.stop()

    @property
    def process(self) -> subprocess.Popen[bytes] | None:
        return self._process

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    @abstractmethod
    def arguments(self) -> Sequence[str]:
        """Return the arguments with which Python runs the server on the app's port."""

    @abstractmethod
    def variables(self) -> Mapping[str, str]:
        """Return the environment variables that the server needs."""

    def start(self) -> None:
        own = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(self.python()), *self.arguments()],
                cwd=self.folder,
                env={**own, **self.variables()},
                stdout=log,
                stderr=log,
            )
        self._wait_until_it_answers(self._process)

    def _wait_until_it_answers(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and process.poll() is None:
            try:
                httpx.get(self.url, timeout=5)
            except httpx.TransportError:
                time.sleep(0.2)
            else:
                return
        raise AssertionError(f"{self.name} did not start:\n{self.log.read_text()}")

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
