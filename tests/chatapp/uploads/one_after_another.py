"""Examine many files in one process, within the app's own limits.

Standard input has the limits, and then for each file a line with its length in bytes, followed by
the file. For each file, the process prints a line of JSON: the outcome, the pictures in
hexadecimal, the processor seconds, and the process's peak memory so far in bytes.
"""

import json
import re
import sys
from pathlib import Path
from time import process_time

from chatapp.uploads.child import answer, bound

SECONDS = 600  # The limit for all files together.


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
    """Return the process's peak memory in bytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) * 1024


if __name__ == "__main__":
    main()
