"""The process that looks at one file and ends: `python -m chatapp.uploads.child`.

It has no environment, is given no network connection and writes no file. On its input are a line of
JSON with the bounds, then the file; on its output a line of JSON, then the pictures.
"""

import json
import os
import resource
import signal
import sys
import time
from dataclasses import asdict
from typing import Any, BinaryIO

POLITENESS = 5  # Niceness, since the server must answer everybody.
PATIENCE = 10  # Niceness added after a second of processor time, so that short files go first.
MEMORY = 1_000_000_000  # Bytes of address space, of which Python and its libraries take a part.


def bound(seconds: int) -> None:
    """Let the system end this process when it takes too much."""
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 32),
    ):
        resource.setrlimit(kind, (most, most))


def give_way() -> None:
    """Yield to the server, and after a second also to other files."""
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
    """Return what is kept, or the code of the refusal."""
    from chatapp.uploads.bounds import Bounds  # noqa: PLC0415 -- after the bounds
    from chatapp.uploads.cleaned import FileRefused  # noqa: PLC0415 -- after the bounds
    from chatapp.uploads.cleaning import clean  # noqa: PLC0415 -- after the bounds

    try:
        kept = clean(data, Bounds(**bounds))
    except FileRefused as unfit:
        return {"refused": unfit.code, "figures": unfit.figures}, []
    except MemoryError:
        return {"refused": "memory", "figures": {}}, []
    blobs = [picture.data for picture in kept.pictures]
    head = asdict(kept)
    for picture, blob in zip(head["pictures"], blobs, strict=True):
        picture["data"] = len(blob)
    return {"kept": head}, blobs


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
