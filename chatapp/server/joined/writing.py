"""Writes static files that are made of others."""

import os
from pathlib import Path

from chatapp.env.private_files import private_file


def write(file: Path, text: str) -> None:
    """Write the text, unless the file has it already."""
    if not file.exists() or file.read_text() != text:
        _replace(file, text)


def _replace(file: Path, text: str) -> None:
    """Write it atomically: other processes may be serving it, or writing it at the same time."""
    for folder in (file.parent.parent, file.parent):
        folder.mkdir(mode=0o700, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(private_file(draft), "w") as opened:
        opened.write(text)
    draft.replace(file)
