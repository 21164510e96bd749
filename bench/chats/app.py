"""What every chat app of the comparison can do, however it does it."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    asynccontextmanager,
)
from pathlib import Path
from typing import ClassVar

from bench.processes import Process
from bench.streams import Person


class App(ABC):
    """A chat app that is running; its server is one process."""

    name: ClassVar[str]

    @classmethod
    @abstractmethod
    def title(cls) -> str | None:
        """Return the name with the version; None if the app is not installed here."""

    @classmethod
    @abstractmethod
    def serving(cls, folder: Path, provider: str) -> AbstractContextManager["App"]:
        """Run the app with its data in this folder; it asks the provider at this address."""

    @property
    @abstractmethod
    def process(self) -> Process | None: ...

    @abstractmethod
    def person(self) -> AbstractAsyncContextManager[Person]:
        """Open a tab with a new chat, as somebody who has no other tab."""

    @asynccontextmanager
    async def people(self, count: int) -> AsyncIterator[list[Person]]:
        async with AsyncExitStack() as stack:
            yield [await stack.enter_async_context(self.person()) for _ in range(count)]
