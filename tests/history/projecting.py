"""Run `manage.py context project` on transcripts that tests write as lines."""

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
    """Run the command; return its output. `data` becomes the file's JSON, `processors` the JSON of
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
    """Run the command with `--json`; return the record that it prints."""
    record: dict[str, Any] = json.loads(run(folder, data, "--json", *options, **more))
    return record


def projected(
    folder: Path, lines: list[str], settings: str = "", processors: object = None
) -> dict[str, Any]:
    """Project lines in the notation of `tests.transcripts`; `settings` is like `length=2`."""
    values = [part for pair in settings.split() for part in ("--set", pair)]
    return plan_of(folder, as_openai(transcript(*lines)), *values, processors=processors)


def as_openai(messages: Transcript) -> list[dict[str, object]]:
    """Convert messages to the format of the command's file."""
    return openai_messages(item for item in messages if isinstance(item, Message))


def letters(record: dict[str, Any]) -> str:
    """Return the letter of each message's verdict; injected texts have none."""
    entries = record["plan"]["entries"]
    return "".join(e["verdict"] * e["count"] for e in entries if e["first"] is not None)


def has_fact(record: dict[str, Any], wanted: Fact) -> bool:
    """Whether the plan has this rule as a reason or note, with at least these figures. A reason may
    also use its entry's figures."""
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
    """Return all messages that would be sent, as JSON."""
    sent = [{k: v for k, v in message.items() if k != "index"} for message in record["messages"]]
    return json.dumps(sent, ensure_ascii=False)


CHAT = as_openai(PLAIN)
