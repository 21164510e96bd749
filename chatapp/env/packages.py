"""Errors for variables that need packages which are not installed.

Vitrine is on no package index: a package of that name is somebody else's.
"""

ALL = "python3 deploy/environment.py deploy/requirements-all.txt"
NO_EXTRA = f"needs the extra {{extra}}; install it with: {ALL}"
