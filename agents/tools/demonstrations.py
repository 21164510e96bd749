"""Tools that do nothing useful: a slow one, and one whose results are long."""

import time
from typing import Annotated

from pydantic import Field

from agents.tools.tool import tool

Seconds = Annotated[float, Field(ge=0, le=60, description="How long, 60 at most.")]
Lines = Annotated[int, Field(ge=1, le=1_000, description="How long it shall be, 1,000 at most.")]
Topic = Annotated[str, Field(max_length=80, description="What it is about.")]
STATES = ("as planned", "late by a day", "done", "waiting for an answer", "not begun")


def wait(seconds: Seconds = 3) -> str:
    """Waits, and does nothing else: for trying out slow tools. Given up after 30 seconds."""
    time.sleep(seconds)
    return f"Waited {seconds:g} seconds."


def report(topic: Topic, lines: Lines = 100) -> str:
    """A long report of made-up lines: for trying out tools with long results."""
    return "\n".join([f"Report on {topic}: {lines:,} lines.", *map(_line, range(1, lines + 1))])


def _line(number: int) -> str:
    """Return the same line for the same number, so that a conversation can be repeated."""
    state = STATES[number * 7 % len(STATES)]
    return f"{number:>5}  item {number * 7919 % 10_007:05}  {state}, {number * 37 % 101} %"


WAIT = tool(wait, timeout=30)
REPORT = tool(report, result_limit=50_000)
