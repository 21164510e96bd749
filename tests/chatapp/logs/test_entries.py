"""The format of lines in the log."""

import json
import logging
import sys
from datetime import datetime

import pytest
from django.db import OperationalError

from chatapp.logs.entries import BriefRefusals, JsonLine, OneLine

FORGED = "Ada\r\n2026-11-22 ERROR chatapp all is lost\x1b[31m\u2028red"
SHOWN = r"Ada\r\n2026-11-22 ERROR chatapp all is lost\x1b[31m\u2028red"


def entry(message, *arguments, error=None):
    try:
        raise error if error else LookupError
    except Exception:
        fault = sys.exc_info() if error else None
    return logging.LogRecord("chatapp", logging.ERROR, "", 1, message, arguments, fault)


def test_what_people_write_stays_on_the_line_it_is_in():
    assert OneLine("{name} {message}", style="{").format(entry("%s failed", FORGED)) == (
        f"chatapp {SHOWN} failed"
    )


def test_the_lines_of_a_traceback_are_indented_and_begin_nothing():
    first, *rest = OneLine("%(message)s").format(entry("No", error=ValueError(FORGED))).split("\n")

    assert first == "No"
    assert {line[:2] for line in rest} == {"  "}
    assert "\x1b" not in "".join(rest)
    assert rest[0] == "  Traceback (most recent call last):"


@pytest.mark.parametrize("error", [ValueError(FORGED), None], ids=["a failure", "no failure"])
def test_an_entry_for_programs_is_one_object_on_one_line(error):
    record = entry("%s failed", FORGED, error=error)
    line = JsonLine().format(record)

    assert line.isascii()
    assert line.isprintable()
    read = json.loads(line)
    assert datetime.fromisoformat(read.pop("time")).timestamp() == pytest.approx(
        record.created, abs=1e-3
    )
    assert FORGED in read.pop("exception", FORGED)
    assert read == {"level": "ERROR", "logger": "chatapp", "message": f"{FORGED} failed"}


def test_a_refusal_is_one_line_without_a_traceback():
    record = entry("%s: %s", "Service Unavailable", "/chat", error=OperationalError("is locked\n^"))

    assert BriefRefusals().filter(record)
    assert OneLine("%(message)s").format(record) == "Service Unavailable: /chat: is locked"


def test_the_same_refusal_is_not_repeated_at_once():
    brief, refused = BriefRefusals(), OperationalError("is locked")

    passed = [brief.filter(entry(kind, error=refused)) for kind in ("a", "a", "b", "a")]

    assert passed == [True, False, True, False]


@pytest.mark.parametrize("error", [ValueError("is locked"), None], ids=["a fault", "no error"])
def test_all_else_is_logged_in_full(error):
    brief, record = BriefRefusals(), entry("a", error=error)

    assert all(brief.filter(record) for _ in range(3))
    assert bool(record.exc_info) == bool(error)
