"""Find PostgreSQL's programs for the tests, or install them if that is allowed."""

import shutil
import subprocess
from pathlib import Path

from deploy import packages

INSTALLED = Path("/usr/lib/postgresql")  # Debian and Ubuntu keep the server off the PATH.
OLDEST = 15


def find() -> Path | None:
    """Return the folder of `initdb` and `postgres`: on the PATH, or the newest that is
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
    """Return 0 if there is no server; the clients' package creates the folder too."""
    if not (folder / "initdb").exists() or not (folder / "postgres").exists():
        return 0
    command = [str(folder / "postgres"), "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int("".join(filter(str.isdigit, said.split()[2].partition(".")[0])) or 0)
