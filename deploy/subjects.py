"""Check that subjects of commits fit into a line of `git log`: `python -m deploy.subjects`.

Older subjects stay too long, because the history is not rewritten.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START = "2a969de75d72fa944824750e3ee261c8457b344c"  # The newest commit that is not checked.
LONGEST = 72


def newer() -> list[list[str]]:
    """Return each later commit's name and subject; nothing without git or without commit START."""
    listing = ["log", "--no-merges", "--abbrev=7", "--format=%h %s", "--ancestry-path"]
    command = ["git", "-C", str(ROOT), *listing, f"{START}..HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return []
    return [line.split(" ", 1) for line in done.stdout.splitlines()]


def main() -> int:
    found = newer()
    long = [
        f"{name}: a subject of {len(subject)} characters; {LONGEST} is the most: {subject}"
        for name, subject in found
        if len(subject) > LONGEST
    ]
    print("\n".join(long) or f"{len(found)} subjects are short enough.")
    return int(bool(long))


if __name__ == "__main__":
    sys.exit(main())
