"""Find the files to which messages of a ChatGPT export point, by the ids in their names."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

ID = re.compile(r"file[-_][A-Za-z0-9]+")


class PointedFiles:
    """Finds files with names such as `file-AbC-photo.png`, `file_0a1b-sanitized.jpg` or
    `file_0a1b.dat`, in any folder.
    """

    def __init__(self, members: Iterable[str]) -> None:
        self._members: dict[str, str] = {}
        for member in members:
            if match := ID.match(PurePosixPath(member).name):
                self._members.setdefault(match.group(), member)

    def member(self, pointer: str) -> str:
        """Return the member that `sediment://file_0a1b` or a bare id names, or an empty text."""
        match = ID.match(pointer.rpartition("/")[2])
        return self._members.get(match.group(), "") if match else ""
