"""The process that looks at one file and then ends: `python -m chatapp.uploads.child`.

It has no environment, is given no network connection and writes no file. It reads a line of JSON
with the bounds, then the file; it writes a line of JSON, then the images.
"""

import json
import os
import resource
import signal
import sys
import time
from dataclasses import asdict
from typing import Any, BinaryIO

POLITENESS = 5  # The niceness of this process, since the server must answer everybody first.
PATIENCE = 10  # Added to the niceness after a second of work, so that short files go first.
MEMORY = 1_000_000_000  # In bytes of address space, of which Python and its libraries take a part.


def bound(seconds: int) -> None:
    """Let the system end this process if it uses too much memory or time."""
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 32),
    ):
        resource.setrlimit(kind, (most, most))


def give_way() -> None:
    """Give way to the server and, after a second, to processes with other files."""
    os.nice(POLITENESS)
    signal.signal(signal.SIGPROF, lambda *_: os.nice(PATIENCE))
    signal.setitimer(signal.ITIMER_PROF, 1)


def main(source: BinaryIO, target: BinaryIO) -> None:
    give_way()
    bounds = json.loads(source.readline())
    bound(bounds["seconds"])
    head, blobs = answer(source.read(), bounds)
    head["used"] = time.process_time()
    target.write(json.dumps(head).encode() + b"\n")
    for blob in blobs:
        target.write(blob)


def answer(data: bytes, bounds: dict[str, int]) -> tuple[dict[str, Any], list[bytes]]:
    """Return what is kept of the file, or the code of its refusal."""
    from chatapp.uploads.bounds import Bounds  # noqa: PLC0415 -- imported after the bounds are set
    from chatapp.uploads.cleaned import FileRefused  # noqa: PLC0415 -- imported after the bounds are set
    from chatapp.uploads.cleaning import clean  # noqa: PLC0415 -- imported after the bounds are set

    try:
        content = clean(data, Bounds(**bounds))
    except FileRefused as unfit:
        return {"refused": unfit.code, "figures": unfit.figures}, []
    except MemoryError:
        return {"refused": "memory", "figures": {}}, []
    blobs = [picture.data for picture in content.pictures]
    head = asdict(content)
    for picture, blob in zip(head["pictures"], blobs, strict=True):
        picture["data"] = len(blob)
    return {"kept": head}, blobs


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
