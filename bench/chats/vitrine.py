"""Vitrine, as a visitor without an account uses it."""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path

from bench.chats.app import App
from bench.processes import Process
from bench.streaming import somebody, vitrine
from bench.streams import Person
from tests.servers import AppServer


class Vitrine(App):
    name = "Vitrine"

    def __init__(self, server: AppServer) -> None:
        self.server = server

    @classmethod
    def title(cls) -> str:
        return cls.name

    @classmethod
    @contextmanager
    def serving(cls, folder: Path, provider: str) -> Iterator[App]:
        with vitrine(folder, provider) as server:
            yield cls(server)

    @property
    def process(self) -> Process | None:
        return self.server.process

    def person(self) -> AbstractAsyncContextManager[Person]:
        return somebody(self.server)
