"""Run every check that needs no tests. A failed step does not stop the next one."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PYTHON = sys.executable
BIN = Path(PYTHON).parent
MANAGE = (PYTHON, "manage.py")
PRODUCTION = {
    "DJANGO_ENV": "production",
    "SECRET_KEY": "only-for-this-check-0123456789-abcdefghijklmnopqrstuvwxyz",
    "PUBLIC_URL": "https://chat.example.org",
    "ALLOWED_HOSTS": "chat.example.org",
}
STEPS: dict[str, tuple[str | Path, ...]] = {
    "format": (BIN / "ruff", "format", "--check"),
    "lint": (BIN / "ruff", "check"),
    # Mypy uses no cache, because its Django plugin reports missing managers when it does.
    "types": (BIN / "mypy", "--cache-dir", os.devnull),
    "imports": (BIN / "lint-imports",),
    "template format": (BIN / "djlint", "templates", "--check"),
    "template lint": (BIN / "djlint", "templates", "--lint", "--quiet"),
    "migrations": (*MANAGE, "makemigrations", "--check", "--dry-run"),
    "system": (*MANAGE, "check", "--fail-level", "WARNING"),
    "deployment": (*MANAGE, "check", "--deploy", "--fail-level", "WARNING"),
    # Hashing the names of scripts fails if they import each other in a circle.
    "static files": (*MANAGE, "collectstatic", "--no-input", "--verbosity", "0"),
    "scripts": (PYTHON, "-m", "deploy.scripts"),
    "hygiene": (PYTHON, "-m", "deploy.hygiene"),
    "dependencies": (PYTHON, "-m", "deploy.dependencies"),
    "unsteady tests": (PYTHON, "-m", "deploy.unsteady"),
    "subjects of commits": (PYTHON, "-m", "deploy.subjects"),
}


def main() -> int:
    with TemporaryDirectory() as data:
        failed = [name for name in STEPS if not run(name, data)]
    print(f"\nFailed: {', '.join(failed)}" if failed else f"\nAll {len(STEPS)} checks passed.")
    return int(bool(failed))


def run(name: str, data: str) -> bool:
    """Run a step with its own data folder and without the developer's .env. Return whether it
    succeeded.
    """
    print(f"\n== {name}", flush=True)
    environment = os.environ | {"ENV_FILE": os.devnull, "DATA_DIR": data}
    if name in {"deployment", "static files"}:
        environment |= PRODUCTION
    return subprocess.run(STEPS[name], env=environment, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
