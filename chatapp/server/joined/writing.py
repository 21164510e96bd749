"""Write static files that are made from other files."""

import os
from pathlib import Path

from chatapp.env.private_files import private_file


def write(file: Path, text: str) -> None:
    """Write the text to the file, unless the file has this text already."""
    if not file.exists() or file.read_text() != text:
        _replace(file, text)


def _replace(file: Path, text: str) -> None:
    """Replace the file atomically, because other processes may be serving or writing it."""
    for folder in (file.parent.parent, file.parent):
        folder.mkdir(mode=0o700, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(private_file(draft), "w") as opened:
        opened.write(text)
    draft.replace(file)
