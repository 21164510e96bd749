"""What is said where a variable needs packages that are not installed.

Vitrine is in no index of packages: a package of that name is somebody else's.
"""

ALL = "python3 deploy/environment.py deploy/requirements-all.txt"
NO_EXTRA = f"needs the extra {{extra}}; install it with: {ALL}"
