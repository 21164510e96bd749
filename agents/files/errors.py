"""How a file is refused: with all that is wrong, each where it stands."""

from collections.abc import Iterable
from pathlib import Path


class FilesRefused(Exception):
    """Nothing was imported. `messages` name file, agent and field, as far as there are any."""

    def __init__(self, messages: Iterable[str]) -> None:
        self.messages = tuple(messages)
        super().__init__("\n".join(self.messages))


def refused(path: Path, *messages: str) -> FilesRefused:
    """Of one file as a whole."""
    return FilesRefused(f"{path}: {message}" for message in messages)
