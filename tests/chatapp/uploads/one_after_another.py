"""Looks at many files in one process, within the bounds of the app's own.

On its input are lines of JSON with the length of a file, each followed by the file; on its output
one line of JSON for each: what became of it, its pictures in hexadecimal, and the most memory that
the process has had until then.
"""

import json
import re
import sys
from pathlib import Path

from chatapp.uploads.child import answer, bound

SECONDS = 600  # For all of them.


def main() -> None:
    bounds = json.loads(sys.stdin.buffer.readline())
    bound(SECONDS)
    while line := sys.stdin.buffer.readline():
        head, blobs = answer(sys.stdin.buffer.read(json.loads(line)), bounds)
        told = {**head, "blobs": [blob.hex() for blob in blobs], "memory": memory()}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def memory() -> int:
    """Return the most bytes that were in memory at once."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) * 1024


if __name__ == "__main__":
    main()
