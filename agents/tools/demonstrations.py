"""Tools to try Vitrine with: a slow one, one with long results, and one that needs approval."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from django.conf import settings
from pydantic import Field

from agents.tools.tool import ToolError, tool

Seconds = Annotated[float, Field(ge=0, le=60, description="How long, up to 60.")]
Lines = Annotated[int, Field(ge=1, le=1_000, description="How many lines, up to 1,000.")]
Topic = Annotated[str, Field(max_length=80, description="The topic.")]
STATES = ("as planned", "late by a day", "done", "waiting for an answer", "not begun")


def wait(seconds: Seconds = 3) -> str:
    """Wait and do nothing, to try out slow tools. Times out after 30 seconds."""
    time.sleep(seconds)
    return f"Waited {seconds:g} seconds."


def report(topic: Topic, lines: Lines = 100) -> str:
    """Write a long made-up report, to try out tools with long results."""
    return "\n".join([f"Report on {topic}: {lines:,} lines.", *map(_line, range(1, lines + 1))])


def _line(number: int) -> str:
    """Return a line of the report. A number always gives the same line, so chats are repeatable."""
    state = STATES[number * 7 % len(STATES)]
    return f"{number:>5}  item {number * 7919 % 10_007:05}  {state}, {number * 37 % 101} %"


WAIT = tool(wait, timeout=30)
REPORT = tool(report, result_limit=50_000)


OUTBOX = "outbox.jsonl"  # A file in DATA_DIR.
MOST_BYTES = 1_000_000
To = Annotated[str, Field(min_length=1, max_length=100, description="Who the note is for.")]
Text = Annotated[str, Field(min_length=1, max_length=2_000, description="The text of the note.")]


def send_note(to: To, text: Text) -> str:
    """Write a note to this server's outbox. Nothing is delivered from there."""
    note = {"written": datetime.now(UTC).isoformat(timespec="seconds"), "to": to, "text": text}
    outbox = Path(settings.DATA_DIR) / OUTBOX
    if outbox.exists() and outbox.stat().st_size > MOST_BYTES:
        raise ToolError(f"the outbox is full ({MOST_BYTES:,} bytes). Nothing was written.")
    with outbox.open("a", encoding="utf-8") as file:
        file.write(json.dumps(note) + "\n")
    return f"The note to {to} is in the outbox."


SEND_NOTE = tool(send_note, needs_approval=True)
