"""`manage.py context project`, run on a transcript as a test writes it."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command

from history.core.plan.neutral_request import openai_messages
from history.core.transcript.messages import Message, Transcript
from history.core.words.facts import Fact
from tests.transcripts import PLAIN, transcript


def run(folder: Path, data: object, *options: str, processors: object = None) -> str:
    """Return what the command prints. `data` is the file's JSON, `processors` that of
    `--processors`.
    """
    file = folder / "transcript.json"
    file.write_text(json.dumps(data))
    more: list[str] = []
    if processors is not None:
        chain = folder / "processors.json"
        chain.write_text(json.dumps(processors))
        more = ["--processors", str(chain)]
    call_command("context", "project", str(file), *options, *more, stdout=(written := StringIO()))
    return written.getvalue()


def plan_of(folder: Path, data: object, *options: str, **more: object) -> dict[str, Any]:
    """Return the record that `--json` prints."""
    record: dict[str, Any] = json.loads(run(folder, data, "--json", *options, **more))
    return record


def projected(
    folder: Path, lines: list[str], settings: str = "", processors: object = None
) -> dict[str, Any]:
    """Project lines as in `tests.transcripts`, with settings as `length=2 policy=lastN`."""
    values = [part for pair in settings.split() for part in ("--set", pair)]
    return plan_of(folder, as_openai(transcript(*lines)), *values, processors=processors)


def as_openai(messages: Transcript) -> list[dict[str, object]]:
    """Write messages as a file has them."""
    return openai_messages(item for item in messages if isinstance(item, Message))


def letters(record: dict[str, Any]) -> str:
    """Return the verdict of each message of the transcript, without injected texts."""
    entries = record["plan"]["entries"]
    return "".join(e["verdict"] * e["count"] for e in entries if e["first"] is not None)


def has_fact(record: dict[str, Any], wanted: Fact) -> bool:
    """Look for a reason or a note with these figures; a reason has those of its entry, too."""
    plan = record["plan"]
    said = [
        (reason["rule"], {**entry, **reason["figures"]})
        for entry in plan["entries"]
        for reason in entry["reasons"]
    ] + [(note["rule"], note["figures"]) for note in plan["note_facts"]]
    return any(
        rule == wanted.rule and all(figures.get(k) == v for k, v in wanted.figures.items())
        for rule, figures in said
    )


def contents(record: dict[str, Any]) -> str:
    """Return everything that would be sent, as JSON."""
    sent = [{k: v for k, v in message.items() if k != "index"} for message in record["messages"]]
    return json.dumps(sent, ensure_ascii=False)


CHAT = as_openai(PLAIN)
