"""Rebuild a request from its record, and show the provider's response.

The transcript never changes and all other texts are stored, so the same planner makes the same
request again. The hash tells whether it did.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from history.core.plan.injected import Injected, is_prompt
from history.core.plan.neutral_request import RETURNED, in_order, request_hash
from history.core.projection.invariants import InvariantBroken
from history.core.transcript.messages import Message
from history.core.transcript.parts import reasoning_in
from history.models import Branch, ContextPlan, Generation, GenerationEvent
from history.models import Message as MessageRow
from history.services.path.marks import Marks
from history.services.path.reading import on_path
from history.services.planning.called import RequestParts
from history.services.planning.planning import plan_input_at
from history.services.planning.projecting import PlanInput, project_turn
from history.services.planning.prompts import prompts_then
from history.services.texts import stored_text

MakeBody = Callable[[RequestParts], dict[str, Any]]
REASONING = "reasoning_items"  # The field for OpenAI's reasoning in a message.
DATA = "data:"  # An address that begins like this contains the image itself.


class CannotRebuild(Exception):
    """The present planner does not reproduce this request; the text says why."""


@dataclass(frozen=True, slots=True)
class SentMessage:
    """One message as the provider got it. `position` is its place in the transcript; a text that no
    message contains has a label instead.
    """

    position: int | None
    label: str
    content: Mapping[str, Any]

    @property
    def key(self) -> tuple[int | None, str]:
        """A key that identifies the same text in another request."""
        return self.position, self.label

    @property
    def text(self) -> str:
        """The message's text, with the type and length of each image in place of its bytes."""
        return text_of(self.content.get("content"))

    @property
    def is_private(self) -> bool:
        """Whether a template's author wrote the text, so that not everybody may read it."""
        return is_prompt(self.label)


@dataclass(frozen=True, slots=True)
class RebuiltRequest:
    """A rebuilt request: `body` is what litellm received; `sent` are the messages in it."""

    body: Mapping[str, Any]
    sent: tuple[SentMessage, ...]
    hash: str
    matches: bool


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The model's answer: its text and its calls, with the reasoning before them."""

    text: str
    calls: Sequence[Mapping[str, Any]]
    reasoning: str = ""


def text_of(content: str | Sequence[Mapping[str, Any]] | None) -> str:
    """Return a message's content as a text that only describes its images."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(_part(part) for part in content)


def _part(part: Mapping[str, Any]) -> str:
    address = part.get("image_url", {}).get("url", "")
    if address.startswith(DATA):
        kind, _, data = address.removeprefix(DATA).partition(",")
        return f"[{kind}, {len(data):,} characters]"
    return str(part.get("text") or address or f"[{part.get('type', '')}]")


def rebuilt(record: ContextPlan, make_body: MakeBody) -> RebuiltRequest:
    """Rebuild a request; `make_body` makes its canonical body. Raise `CannotRebuild`."""
    try:
        _, projection, parts = project_turn(turn_then(record))
    except (ValueError, LookupError, InvariantBroken) as error:
        raise CannotRebuild(str(error)) from error
    tools = record.texts.get("tools")
    fields = {**record.parameters, "tools": json.loads(stored_text(tools)) if tools else []}
    body = make_body(replace(parts, **fields))
    order = in_order(projection.messages, projection.injected)
    digest = request_hash(body)
    return RebuiltRequest(
        body=body,
        sent=tuple(_aligned(order, body["messages"])),
        hash=digest,
        matches=digest == record.request_hash,
    )


def response_of(record: ContextPlan) -> StoredResponse | None:
    """Return the message after the plan's head; None if there is none, or a later step wrote it."""
    again = record.generation.plans.filter(head=record.head, step__gt=record.step)
    place = record.head + 1
    rows = MessageRow.objects.filter(
        on_path(record.branch, place), generation=record.generation, position=place
    )
    message = None if again.exists() else rows.first()
    if message is None:
        return None
    thought = "\n\n".join(p.text for p in reasoning_in(message.as_core().parts) if p.text)
    return StoredResponse(message.text, message.tool_calls, thought)


def events_of(generation: Generation, after: int, most: int) -> list[GenerationEvent]:
    """Return up to `most` events of the generation's log after the number `after`, in order, plus
    one if there are more; none once the log has been deleted.
    """
    return list(generation.events.filter(seq__gt=after).order_by("seq")[: most + 1])


def turn_then(record: ContextPlan) -> PlanInput:
    """Return the input from which the request was planned, as it was at that time."""
    through = Branch(  # This branch is only used for reading, and never saved.
        conversation_id=record.branch.conversation_id,
        lineage=record.branch.fork_lineage(record.head),
    )
    plan = record.plan
    return replace(
        plan_input_at(record.generation, record.step),
        branch=through,
        marks=Marks.from_dict(record.marks),
        checkpoints=tuple(record.checkpoints),
        settled=plan.get("settled"),
        factor=plan.get("factor", 1.0),
        percent=plan.get("percent", 100),
        prompts=prompts_then(record),
        withheld=plan.get("reasoning", {}).get("taking", {}).get("withheld_by", ""),
    )


def _aligned(
    order: Iterable[Message | Injected], messages: Iterable[Mapping[str, Any]]
) -> Iterator[SentMessage]:
    """Pair each sent message with its source. The extra message that carries the pictures returned
    by tools has none. The parts in which a message with reasoning was sent are joined again.
    """
    items, parts = iter(order), list[Mapping[str, Any]]()
    item = next(items, None)
    for content in messages:
        if _carries(content):
            yield SentMessage(None, RETURNED, content)
            continue
        parts.append(content)
        if item is not None and not _goes_on(item, parts):
            yield _sent(item, _joined(parts))
            item, parts = next(items, None), []


def _goes_on(item: Message | Injected, parts: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the next part of the same message follows: more text, or its calls."""
    if REASONING not in parts[-1] or not isinstance(item, Message):
        return False
    if item.tool_calls:
        return not parts[-1].get("tool_calls")
    return sum(len(part["content"] or "") for part in parts) < len(item.text)


def _joined(parts: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    if len(parts) == 1:
        return parts[0]
    text = "".join(part["content"] or "" for part in parts)
    thoughts = [thought for part in parts for thought in part[REASONING]]
    return {**parts[-1], "content": text, REASONING: thoughts}


def _carries(content: Mapping[str, Any]) -> bool:
    parts = content.get("content")
    return isinstance(parts, list) and parts[:1] == [{"type": "text", "text": RETURNED}]


def _sent(item: Message | Injected, content: Mapping[str, Any]) -> SentMessage:
    position = item.position if isinstance(item, Message) else None
    return SentMessage(position, item.label, content)
