"""A tool that changes something, so it asks first: a file on the server, and nothing else."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from django.conf import settings
from pydantic import Field

from agents.tools.tool import ToolError, tool

OUTBOX = "outbox.jsonl"  # In DATA_DIR.
MOST_BYTES = 1_000_000
To = Annotated[str, Field(min_length=1, max_length=100, description="Whom it is for.")]
Text = Annotated[str, Field(min_length=1, max_length=2_000, description="What it says.")]


def send_note(to: To, text: Text) -> str:
    """Puts a note for somebody into the outbox of this server, from which nothing is delivered."""
    note = {"written": datetime.now(UTC).isoformat(timespec="seconds"), "to": to, "text": text}
    outbox = Path(settings.DATA_DIR) / OUTBOX
    if outbox.exists() and outbox.stat().st_size > MOST_BYTES:
        raise ToolError(f"the outbox is full: it holds {MOST_BYTES:,} bytes. Nothing was written.")
    with outbox.open("a", encoding="utf-8") as file:
        file.write(json.dumps(note) + "\n")
    return f"The note to {to} is in the outbox."


SEND_NOTE = tool(send_note, needs_approval=True)
