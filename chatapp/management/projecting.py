"""`manage.py context project FILE`: show what a model would be sent of a transcript in a file."""

import json
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings as site
from django.core.management.base import CommandError
from django.db import DatabaseError

from agents.catalogue import catalogue
from agents.effective import contradictions
from agents.models import built_in_layer
from agents.snapshot import AgentSnapshot
from chatapp.management.trying import SOURCE, json_of, our_fault, pairs, refused
from history.core.formats.openai_format import ImportedTranscript, read_transcript
from history.core.formats.openai_spelling import spelled
from history.core.formats.reading import Counters, FormatError
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.neutral_request import in_order, openai_messages
from history.core.plan.plan import digest
from history.core.projection.invariants import InvariantBroken, check
from history.core.projection.project import Projection, project
from history.core.projection.request import ProjectionRequest
from history.core.settings.resolution import overridden, resolve
from history.core.settings.resolved import Settings
from history.core.stages.processors import Chain, parse_levels
from history.core.transcript.messages import Message
from history.core.words.errors import CannotPlan, SettingError
from history.core.words.facts import Note, Rule, note
from history.core.words.wording import number, place
from history.services.explain.explanation import Explanation
from history.services.explain.lines import lines_of, title
from history.services.explain.map.repairs import RepairedMessage, repairs_of
from history.services.planning.abilities import image_facts
from history.services.settings.calibration import factor_of, first_factor
from history.tokens import (
    REPLY_PRIMING,
    count_message,
    count_text,
    count_tool_call,
    count_tools,
    counter_name,
)
from history.tokens.images import image_tokens
from history.wording.faults import word_error, word_supposed_error
from history.wording.plans import worded_plan

COUNTERS = Counters(count_message, count_tool_call, count_text, image_tokens)
PROMPT = 0  # The system prompt is the first message in the file.
NOT_STORED = "Planned now. Nothing was sent or saved."


@dataclass(frozen=True, slots=True)
class ProjectedTranscript:
    """A transcript from a file, and what the model would be sent of it."""

    file: str
    model: str
    imported: ImportedTranscript
    projection: Projection

    @property
    def repaired(self) -> tuple[RepairedMessage, ...]:
        return tuple(repairs_of(self.projection.plan, self.imported.messages))

    def index(self, position: int) -> int:
        """Return the message's index in the file, from 0; the prompt counts, too."""
        return position + self.imported.offset

    def as_dict(self) -> dict[str, Any]:
        plan = self.projection.plan
        worded = worded_plan(plan.as_dict())
        return {
            "stored": False,
            "model": self.model,
            "conflicts": list(contradictions(plan.settings)),
            "plan": {**worded, "entries": list(map(self._row, worded["entries"]))},
            "messages": list(self._sent()),
            "repaired": [{**asdict(r), "index": self.index(r.position)} for r in self.repaired],
            "adapted": self.imported.adapted,
        }

    def _row(self, entry: dict[str, Any]) -> dict[str, Any]:
        if entry["label"] == SYSTEM_PROMPT:
            return {**entry, "index": PROMPT, "last_index": PROMPT}
        places = (entry["first"], entry["last"])
        ends = [None if place is None else self.index(place) for place in places]
        return {**entry, "index": ends[0], "last_index": ends[1]}

    def _sent(self) -> Iterator[dict[str, Any]]:
        messages, texts = self.projection.messages, self.projection.injected
        items = in_order(messages, texts)
        for item, message in zip(items, openai_messages(messages, texts), strict=True):
            yield {**spelled(message, self.imported.parts), "index": self._index_of(item)}

    def _index_of(self, item: Message | Injected) -> int | None:
        """Return a message's index in the file; None if the file does not contain the message."""
        if isinstance(item, Injected):
            return PROMPT if item.label == SYSTEM_PROMPT else None
        return None if item.label else self.index(item.position)


def add_parser(actions: "_SubParsersAction[ArgumentParser]") -> None:
    parser = actions.add_parser("project", help="show what a model would see of a transcript file")
    parser.add_argument(
        "file", help="messages in OpenAI's chat format (JSON), or - for standard input"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="values",
        help="override a setting, even of the environment; NAME= unsets it (repeatable)",
    )
    parser.add_argument("--processors", metavar="FILE", help="levels of processors (JSON)")
    parser.add_argument("--model", default="", help="default: the file's model, or DEFAULT_MODEL")
    parser.add_argument(
        "--json", action="store_true", help="print the plan and what would be sent as JSON"
    )


def run(options: dict[str, Any]) -> Iterator[str]:
    """Yield the lines to print. Raise CommandError if the file is unreadable, or if what has to be
    sent does not fit.
    """
    file = options["file"]
    name = "standard input" if file == "-" else file
    try:
        imported = read_transcript(json_of(file), COUNTERS)
    except FormatError as error:
        raise CommandError(f"{name}: {error}") from error
    model = _known(options["model"] or imported.model or site.DEFAULT_MODEL)
    request = _request(imported, model, _settings(model, options), _levels(options["processors"]))
    try:
        projected = ProjectedTranscript(name, model, imported, _projection(imported, request))
    except InvariantBroken as error:
        raise CommandError(our_fault(name, error)) from error
    return _as_json(projected) if options["json"] else _as_text(projected)


def _known(model: str) -> str:
    if fault := catalogue().fault(model):
        raise CommandError(f"model {model}: {fault}. Choose another one with --model NAME.")
    return model


def _settings(model: str, options: dict[str, Any]) -> Settings:
    """Combine the options with the environment's and the built-in settings."""
    settings = resolve([site.HISTORY_ENVIRONMENT, built_in_layer(model)], site.HISTORY_CAPS)
    try:
        return overridden(settings, pairs(options["values"]), SOURCE, site.HISTORY_CAPS)
    except SettingError as error:
        raise CommandError(f"--set {word_error(error)}") from error


def _levels(file: str | None) -> Chain:
    try:
        return parse_levels(json_of(file)) if file else ()
    except SettingError as error:
        raise CommandError(f"{file}: {word_error(error)}") from error


def _request(
    imported: ImportedTranscript, model: str, settings: Settings, levels: Chain
) -> ProjectionRequest:
    factor, notes = _factor(model)
    return ProjectionRequest(
        settings=settings,
        injected=imported.injected,
        tool_schema_tokens=count_tools(imported.tools) + REPLY_PRIMING,
        tool_schema_digest=digest(json.dumps(imported.tools)) if imported.tools else "",
        counter=counter_name(model),
        levels=levels,
        factor=factor,
        count=count_text,
        notes=notes,
        **image_facts(model, factor),
    )


def _factor(model: str) -> tuple[float, tuple[Note, ...]]:
    """Return the learnt factor of token counts; without a database, its initial value.

    Planning a transcript from a file must not need a database.
    """
    try:
        return factor_of(model).value, ()
    except DatabaseError:
        return first_factor(model).value, (note(Rule.UNLEARNT),)


def _projection(imported: ImportedTranscript, request: ProjectionRequest) -> Projection:
    """Project the file's transcript, with the same checks as for a real request."""
    try:
        projection = project(imported.messages, request)
    except CannotPlan as error:
        raise CommandError(
            refused(word_supposed_error(error), contradictions(request.settings))
        ) from error
    check(imported.messages, projection)
    return projection


def _as_json(projected: ProjectedTranscript) -> Iterator[str]:
    yield json.dumps(projected.as_dict(), indent=2)


def _as_text(projected: ProjectedTranscript) -> Iterator[str]:
    plan = projected.projection.plan
    agent = AgentSnapshot(name=projected.file, source="not stored", model=projected.model)
    turn = plan.counts.last_turn
    yield NOT_STORED
    yield from lines_of(Explanation(plan, agent, turn, turn))
    yield from _repaired(projected)
    if adapted := projected.imported.adapted:
        yield from title("changed from the file")
        yield from (f"  {sentence}" for sentence in adapted)


def _repaired(projected: ProjectedTranscript) -> Iterator[str]:
    """List the repairs, or say that none were needed; other sections are left out if they are
    empty.

    Only a provider can tell whether it accepts the texts.
    """
    repaired = projected.repaired
    yield from title(f"repaired: {number(len(repaired))}")
    if not repaired:
        yield "  nothing needed repair"
    for repair in repaired:
        index = projected.index(repair.position)
        where = f"message {place(repair.position)} (messages[{index}])"
        yield f"  {repair.verdict} {where:<32} {repair.what}: {repair.reason}"
