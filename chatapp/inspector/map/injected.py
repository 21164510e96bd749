"""Texts that are sent although no message contains them, as far as the reader may see them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from history.core.plan.injected import CONTINUE, SYSTEM_PROMPT, TOOL_SCHEMAS, is_prompt
from history.models import ContextPlan
from history.services.access import Actor
from history.services.explain.map.lines import excerpt
from history.services.explain.map.rows import FoldRow, InjectedRow, MessageRow, Row, StartRow
from history.services.settings.answerer import template_of
from history.services.texts import stored_text

TEXTS = {SYSTEM_PROMPT: "system_prompt", TOOL_SCHEMAS: "tools", CONTINUE: "continue"}


@dataclass(frozen=True, slots=True)
class InjectedText:
    """An injected row with its text; None if the reader may not see it."""

    kind: ClassVar[str] = "injected"
    row: InjectedRow
    text: str | None

    @property
    def beginning(self) -> str:
        return excerpt(self.text or "")

    @property
    def is_longer(self) -> bool:
        return self.beginning != self.text


ShownRow: TypeAlias = MessageRow | FoldRow | StartRow | InjectedText


def may_read_prompt(actor: Actor, record: ContextPlan) -> bool:
    """Whether the actor may read the prompt. Staff may; for an owner both the template's present
    version and the one sent must allow it: each prompt was written under its own version's rule,
    and the present rule is what the administrator wants.
    """
    if actor.is_staff:
        return True
    then = record.generation.snapshot_at(record.step)["agent"]["prompt_is_public"]
    template = template_of(record)
    return bool(then and template and template.prompt_is_public)


def with_texts(rows: Iterable[Row], actor: Actor, record: ContextPlan) -> Iterator[ShownRow]:
    for row in rows:
        if isinstance(row, InjectedRow):
            is_private = is_prompt(row.label) and not may_read_prompt(actor, record)
            yield InjectedText(row, None if is_private else _text(row.label, record))
        else:
            yield row


def _text(label: str, record: ContextPlan) -> str:
    digest = record.texts.get(TEXTS.get(label, label))  # Summary and context: by label.
    text = stored_text(digest) if digest else ""
    return _tool_names(text) if label == TOOL_SCHEMAS else text


def _tool_names(schemas: str) -> str:
    return ", ".join(schema["function"]["name"] for schema in json.loads(schemas or "[]"))
