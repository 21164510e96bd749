"""Create .venv and install a lock into it, once: `python deploy/environment.py deploy/LOCK`. Name
a folder after the lock to make an environment there instead.

The script runs before anything is installed, so it needs only the standard library. A stamp file
beside the packages holds the lock's hash. The stamp is written last, so that an interrupted install
is repeated.
"""

import hashlib
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path

VENV = Path(__file__).resolve().parent.parent / ".venv"
PYTHON = VENV / "bin" / "python"
NO_VENV = """This Python ({version}) cannot make a virtual environment: its ensurepip is missing.
On Debian and Ubuntu: apt-get install python3-venv. Or name another: make run PYTHON=..."""


def main(lock: Path) -> None:
    if not usable():
        create()
    stamp = VENV / f".{lock.name}.sha256"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    stamp.unlink(missing_ok=True)
    print(f"Installing {lock} into {VENV.name}: about a minute, this once.", flush=True)
    install(lock)
    stamp.write_text(wanted)


def usable() -> bool:
    """Whether the environment works; false also if the Python that made it is gone."""
    try:
        done = subprocess.run([PYTHON, "-c", "import pip"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def create() -> None:
    if not find_spec("ensurepip"):
        sys.exit(NO_VENV.format(version=sys.version.split()[0]))
    print(f"Making {VENV.name} with Python {sys.version.split()[0]}.", flush=True)
    venv.create(VENV, clear=True, with_pip=True, symlinks=True)


def install(lock: Path) -> None:
    """Install a lock that names every package with its hash, so that pip chooses none itself."""
    pip = ["-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input"]
    locked = ["--no-deps", "--require-hashes", "--requirement", str(lock)]
    if subprocess.run([str(PYTHON), *pip, *locked], check=False).returncode:
        sys.exit(f"Vitrine could not install {lock}; pip says why above. Run it again to go on.")


if __name__ == "__main__":
    wanted_lock, *elsewhere = map(Path, sys.argv[1:])
    if elsewhere:
        VENV = elsewhere[0].resolve()
        PYTHON = VENV / "bin" / "python"
    try:
        main(wanted_lock)
    except KeyboardInterrupt:
        sys.exit("Stopped. The next start installs again.")
