"""Looks at many files in one process, within the bounds of the app's own.

On its input are lines of JSON with the length of a file, each followed by the file; on its output
one line of JSON for each: what became of it, its pictures in hexadecimal, how much processor time
it took, and the most memory that the process has had until then.
"""

import json
import re
import sys
from pathlib import Path
from time import process_time

from chatapp.uploads.child import answer, bound

SECONDS = 600  # For all of them.


def main() -> None:
    bounds = json.loads(sys.stdin.buffer.readline())
    bound(SECONDS)
    while line := sys.stdin.buffer.readline():
        data, began = sys.stdin.buffer.read(json.loads(line)), process_time()
        head, blobs = answer(data, bounds)
        cost = {"seconds": process_time() - began, "memory": memory()}
        told = {**head, **cost, "blobs": [blob.hex() for blob in blobs]}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def memory() -> int:
    """Return the most bytes that were in memory at once."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) * 1024


if __name__ == "__main__":
    main()
