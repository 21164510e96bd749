"""Errors for variables that need packages which are not installed.

Vitrine is not on any package index, so a package with that name is somebody else's.
"""

ALL = "python3 deploy/environment.py deploy/requirements-all.txt"
NO_EXTRA = f"needs the extra {{extra}}; install it with: {ALL}"
