"""Have a file looked at by a process of its own, a few at a time.

Damaged files make decoders hang, take all memory or crash. Here that ends a process that has
nothing to lose.
"""

import json
import logging
import subprocess
import sys
from dataclasses import asdict
from threading import BoundedSemaphore
from typing import Any

from chatapp import env
from chatapp.uploads.cleaned import Bounds, Cleaned, CleanPicture, FileRefused

logger = logging.getLogger(__name__)
AT_ONCE = 2
PATIENCE = 2  # The wall clock may show this many times the seconds of processor time.
COMMAND = (sys.executable, "-B", "-m", "chatapp.uploads.child")  # -B: it may write no file.
_places = BoundedSemaphore(AT_ONCE)


def look_at(data: bytes, bounds: Bounds) -> Cleaned:
    """Return what is kept of the file. Raise FileRefused, also if it takes more than the bounds."""
    if not _places.acquire(timeout=PATIENCE * bounds.seconds):
        raise FileRefused("busy")
    try:
        return _read(_answer(data, bounds))
    finally:
        _places.release()


def _answer(data: bytes, bounds: Bounds) -> bytes:
    given = json.dumps(asdict(bounds)).encode() + b"\n" + data
    try:
        done = subprocess.run(
            COMMAND,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=env.ROOT,
            env={},
            timeout=PATIENCE * bounds.seconds,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise FileRefused("slow") from error
    except subprocess.CalledProcessError as error:
        logger.warning("A file could not be looked at: the process ended with %d", error.returncode)
        raise FileRefused("crash") from error
    return done.stdout


def _read(answer: bytes) -> Cleaned:
    head, _, blobs = answer.partition(b"\n")
    if not head:
        raise FileRefused("crash")
    told: dict[str, Any] = json.loads(head)
    if "refused" in told:
        raise FileRefused(told["refused"], **told["figures"])
    kept = told["kept"]
    return Cleaned(
        **{**kept, "pictures": _pictures(kept["pictures"], blobs), "notes": tuple(kept["notes"])}
    )


def _pictures(heads: list[dict[str, Any]], blobs: bytes) -> tuple[CleanPicture, ...]:
    """Cut the blobs apart by their lengths."""
    found, start = [], 0
    for head in heads:
        end = start + head["data"]
        found.append(CleanPicture(**{**head, "data": blobs[start:end]}))
        start = end
    return tuple(found)
