"""Find PostgreSQL's programs for the tests, or install them if that is allowed."""

import shutil
import subprocess
from pathlib import Path

from deploy import packages

INSTALLED = Path("/usr/lib/postgresql")  # Debian and Ubuntu keep it off the PATH.
OLDEST = 15


def find() -> Path | None:
    """Return the folder with `initdb` and `postgres`: the one on the PATH, else the newest
    installed.
    """
    on_path = shutil.which("initdb")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += sorted(INSTALLED.glob("*/bin"), key=_version, reverse=True)
    return next((folder for folder in folders if _version(folder) >= OLDEST), None)


def install() -> Path | None:
    packages.install("postgresql")
    return find()


def _version(folder: Path) -> int:
    """Return a folder's version; 0 if it has no server, since the clients' package makes it too."""
    if not (folder / "initdb").exists() or not (folder / "postgres").exists():
        return 0
    command = [str(folder / "postgres"), "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int("".join(filter(str.isdigit, said.split()[2].partition(".")[0])) or 0)
