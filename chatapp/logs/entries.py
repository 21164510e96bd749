"""Log entries: each is one line, and neither a failing database nor many people flood the log."""

import json
import logging
import re
from datetime import UTC, datetime
from threading import Lock
from time import monotonic
from typing import Any

from chatapp.databases.refusals import refusal_in
from chatapp.telemetry import spans

QUIET_SECONDS = 5
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class OneLine(logging.Formatter):
    """A formatter with which no text can begin a line of its own, or colour the terminal.

    A traceback follows its line, indented.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        return CONTROL.sub(_escaped, super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        lines = super().formatException(ei).split("\n")
        return "\n".join("  " + CONTROL.sub(_escaped, line) for line in lines)


class JsonLine(logging.Formatter):
    """One JSON object per entry, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **spans.ids(),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=True)


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


class BriefRefusals(logging.Filter):
    """Logs the database's message instead of a traceback, and repeats the same entry only now and
    then.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()
        self._said: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        refusal = refusal_in(record.exc_info[1]) if record.exc_info else None
        if refusal is None:
            return getattr(record, "status_code", 0) != 503 or self._is_due(record)
        is_due = self._is_due(record)
        why = str(refusal).partition("\n")[0]
        record.msg, record.args = f"{record.getMessage()}: {why}", ()
        record.exc_info = record.exc_text = None
        return is_due

    def _is_due(self, record: logging.LogRecord) -> bool:
        kind = (record.name, str(record.msg))
        with self._lock:
            is_due = monotonic() - self._said.get(kind, -QUIET_SECONDS) >= QUIET_SECONDS
            if is_due:
                self._said[kind] = monotonic()
        return is_due


SECONDS = 60
MOST = 1_000  # How many messages a filter remembers.


class Sparing(logging.Filter):
    """A filter that logs a message at most once a minute, with the number of those left out.

    Failures are always logged, with their tracebacks; `with_failures` limits them, too.
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
        now = monotonic()
        since, left_out = self._told.get(record.msg, (now - SECONDS, 0))
        if now - since < SECONDS:
            self._told[record.msg] = since, left_out + 1
            return False
        self._told[record.msg] = now, 0
        if left_out:
            record.msg = f"{record.msg} ({left_out} more since it was last said)"
        return True
