"""A log that a crowd cannot fill."""

import logging
import time

SECONDS = 60
MOST = 1_000  # Messages to remember.


class Sparing(logging.Filter):
    """Logs the same message at most once a minute, with the number left out meanwhile.

    Failures are always logged, with their tracebacks, unless `with_failures`.
    """

    def __init__(self, *, with_failures: bool = False) -> None:
        super().__init__()
        self._with_failures = with_failures
        self._told: dict[object, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and not self._with_failures:
            return True
        if len(self._told) > MOST:
            self._told.clear()
        now = time.monotonic()
        since, left_out = self._told.get(record.msg, (now - SECONDS, 0))
        if now - since < SECONDS:
            self._told[record.msg] = since, left_out + 1
            return False
        self._told[record.msg] = now, 0
        if left_out:
            record.msg = f"{record.msg} ({left_out} more since it was last said)"
        return True
