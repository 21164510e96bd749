"""Install packages of the operating system, if that is allowed."""

import os
import shutil
import subprocess


def install(*names: str) -> bool:
    """Install packages with apt; false if apt is missing, not allowed, or fails."""
    if not shutil.which("apt-get") or (root := _root_command()) is None:
        return False
    apt = [*root, "apt-get", "-q"]
    attempt([*apt, "update"])
    return attempt([*apt, "install", "--yes", "--no-install-recommends", *names])


def _root_command() -> list[str] | None:
    """Return the prefix for a command that needs root; None if root is not available."""
    if os.geteuid() == 0:
        return []
    silent = ["sudo", "--non-interactive"]
    return silent if shutil.which("sudo") and attempt([*silent, "true"]) else None


def attempt(command: list[str]) -> bool:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, env=environment, check=False)
    return done.returncode == 0
