"""Make settings and projections for tests."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.core.projection.project import Projection, project
from history.core.projection.request import ProjectionRequest
from history.core.settings.layers import Layer
from history.core.settings.resolution import resolve
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName, Value
from history.core.stages.processors import parse_levels
from history.core.transcript.messages import Message, Transcript
from tests import transcripts

ROOMY: Mapping[str, Value] = {"policy": "all", "context_window": 1_000_000, "output_reserve": 1}


def template(**values: Value) -> Layer:
    return Layer(LayerName.TEMPLATE, "agent demo v1", values)


def settings_of(**values: Value) -> Settings:
    return resolve([template(**values)])


def projected(transcript: Transcript, **values: Value) -> Projection:
    return project(transcript, ProjectionRequest(settings_of(**values)))


def chained(transcript: Transcript, *chain: Mapping[str, Any], **request: Any) -> Projection:
    """Project a transcript with these processors at the history level, and roomy settings."""
    levels = parse_levels({"history": chain})
    return project(transcript, ProjectionRequest(settings_of(**ROOMY), levels=levels, **request))


def requested(transcript: Transcript, values: Mapping[str, Value], **request: Any) -> Projection:
    return project(transcript, ProjectionRequest(settings_of(**values), **request))


def transcript(*lines: str) -> Transcript:
    """Make a transcript from lines as in `tests.transcripts`; ` x300` at a line's end is its
    cost.
    """
    parted = [line.rpartition(" x") for line in lines]
    sized = [
        (head, int(size)) if size.isdigit() and head else (line, None)
        for (head, _, size), line in zip(parted, lines, strict=True)
    ]
    made = transcripts.transcript(*(line for line, _ in sized))
    return tuple(
        replace(message, tokens=size) if size is not None else message
        for message, (_, size) in zip(_read(made), sized, strict=True)
    )


def weighing(messages: Sequence[Any], tokens: int) -> Transcript:
    """Return the same messages, each of which costs this many tokens."""
    return tuple(replace(message, tokens=tokens) for message in messages)


def cold_at(messages: Sequence[Any], *positions: int) -> Transcript:
    return tuple(replace(m, cold=m.position in positions) for m in messages)


def verdicts(plan: Plan) -> str:
    """Return one letter per message, in order; a message without a verdict has no letter."""
    return "".join(str(entry.verdict) * entry.count for entry in plan.entries)


def of_transcript(plan: Plan) -> str:
    """Return the letters of the verdicts, without those of injected texts."""
    history = (entry for entry in plan.entries if entry.verdict is not Verdict.INJECTED)
    return "".join(str(entry.verdict) * entry.count for entry in history)


def sent(projection: Projection) -> list[int]:
    """Return the positions of the transcript's messages that are sent."""
    return [message.position for message in projection.messages if not message.label]


def _read(made: Transcript) -> list[Message]:
    return [item for item in made if isinstance(item, Message)]
