"""Look at a file in a separate process.

Damaged files make decoders hang, take all memory or crash. If that ends the process, nothing else
is lost.
"""

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from chatapp import env
from chatapp.uploads.bounds import Bounds
from chatapp.uploads.cleaned import CleanedFile, CleanPicture, FileRefused

logger = logging.getLogger(__name__)
PATIENCE = 4  # The wall-clock limit, as a multiple of the processor time: other processes go first.
# With -B, Python writes no compiled files.
COMMAND = (sys.executable, "-B", "-m", "chatapp.uploads.child")


def look_at(data: bytes, bounds: Bounds, charge: Callable[[float], None]) -> CleanedFile:
    """Return what is kept of the file, and charge the processor time that it took. Raise
    FileRefused, also if the file exceeds the bounds. The caller must hold a shared place.
    """
    own = bounds.of(data)
    seconds = float(own.seconds)  # Charged if the process dies before it reports its time.
    try:
        report, blobs = _told(_answer(data, own))
        seconds = report["used"]
    finally:
        charge(seconds)
    return _kept(report, blobs)


def _answer(data: bytes, bounds: Bounds) -> bytes:
    request = json.dumps(asdict(bounds)).encode() + b"\n" + data
    try:
        done = subprocess.run(
            COMMAND,
            input=request,
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


def _told(answer: bytes) -> tuple[dict[str, Any], bytes]:
    head, _, blobs = answer.partition(b"\n")
    if not head:
        raise FileRefused("crash")
    return json.loads(head), blobs


def _kept(report: Mapping[str, Any], blobs: bytes) -> CleanedFile:
    if "refused" in report:
        raise FileRefused(report["refused"], **report["figures"])
    head = report["kept"]
    return CleanedFile(
        **{**head, "pictures": _pictures(head["pictures"], blobs), "notes": tuple(head["notes"])}
    )


def _pictures(heads: list[dict[str, Any]], blobs: bytes) -> tuple[CleanPicture, ...]:
    """Divide the data into the images, by their lengths."""
    pictures, start = [], 0
    for head in heads:
        end = start + head["data"]
        pictures.append(CleanPicture(**{**head, "data": blobs[start:end]}))
        start = end
    return tuple(pictures)
