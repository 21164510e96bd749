"""The panel's pages on a request itself: its messages, its response, and its events."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from chatapp.inspector.raw.redaction import Redaction
from chatapp.llm.images import urls_in
from chatapp.llm.media import llm_request
from history.core.plan.plan import PLANNER_VERSION
from history.core.words.wording import number
from history.models import ContextPlan, GenerationEvent
from history.services.explain.raw.request import (
    RebuiltRequest,
    SentMessage,
    events_of,
    rebuilt,
    text_of,
)
from history.services.summaries.numbers import NO_NUMBERS, SummaryNumbers
from history.wording.names import injected_text, messages

PAGE = 50  # How many messages, or events, a page shows.
EXCERPT = 160  # Characters of a message while it is folded; the page cuts them to one line.
KEPT = 4  # How many requests the cache keeps. Without images, each fits its model's window.
MOST_IMAGES = 2_000_000  # The most characters of images in a cached request.
BEGINNING = 2_000  # How many characters of a text are shown until somebody asks for all of it.


@dataclass(frozen=True, slots=True)
class SentRow:
    """One message of a request. `text` may be only its beginning; `size` counts all of it."""

    number: int
    role: str
    place: str
    text: str
    size: int
    extra: str
    beginning: str

    @property
    def is_whole(self) -> bool:
        return len(self.text) == self.size


@dataclass(frozen=True, slots=True)
class EventRow:
    seq: int
    kind: str
    text: str
    size: int

    @property
    def is_whole(self) -> bool:
        return len(self.text) == self.size


@dataclass(frozen=True, slots=True)
class _CacheKey:
    """A record hashed by its permanent identity, for use as a cache key."""

    generation: UUID
    step: int
    record: ContextPlan = field(compare=False)


def rebuild(record: ContextPlan) -> RebuiltRequest:
    """Rebuild a request, and cache it for its next page, since records never change. Requests with
    large images are not cached, because they would take too much memory. Raise `CannotRebuild`.
    """
    request = _rebuild(_CacheKey(record.generation_id, record.step, record))
    if sum(map(len, urls_in(request.body["messages"]))) > MOST_IMAGES:
        _rebuild.cache_clear()
    return request


@lru_cache(maxsize=KEPT)
def _rebuild(source: _CacheKey) -> RebuiltRequest:
    return rebuilt(source.record, lambda parts: llm_request(parts).body())


def request_page(record: ContextPlan, redaction: Redaction, first: int) -> dict[str, Any]:
    """Return the template's context: some of the request's messages, and its other parameters.
    `next` is how many messages come before the next page, None on the last. Raise `CannotRebuild`.
    """
    request, numbers = rebuild(record), SummaryNumbers(record.generation.conversation_id)
    part = request.sent[first : first + PAGE]
    end = first + len(part)
    frame = {name: value for name, value in redaction.body(request).items() if name != "messages"}
    return {
        "rows": [
            sent_row(n, message, redaction, numbers=numbers)
            for n, message in enumerate(part, first + 1)
        ],
        "count": len(request.sent),
        "next": end if end < len(request.sent) else None,
        "parameters": indented(frame),
        "check": _check(record, request),
        "matches": request.matches,
        "hidden": redaction.sentence(request),
    }


def sent_row(
    place: int,
    message: SentMessage,
    redaction: Redaction,
    most: int | None = BEGINNING,
    numbers: SummaryNumbers = NO_NUMBERS,
) -> SentRow:
    content = redaction.message(message)
    text = text_of(content.get("content"))
    rest = {name: value for name, value in content.items() if name not in {"role", "content"}}
    functions = [call["function"] for call in content.get("tool_calls", ())]
    calls = " ".join(f"{each['name']}({each['arguments']})" for each in functions)
    return SentRow(
        number=place,
        role=str(message.content["role"]),
        place=_place(message, numbers),
        text=text[:most],
        size=len(text),
        extra=indented(rest) if rest else "",
        beginning=" ".join(f"{text[:EXCERPT]} {calls[:EXCERPT]}".split()),
    )


def event_page(record: ContextPlan, after: int) -> dict[str, Any]:
    """Return the template's context; `logged` is how many events were ever logged."""
    events = events_of(record.generation, after, PAGE)
    return {
        "rows": [_event_row(event) for event in events[:PAGE]],
        "next": events[PAGE - 1].seq if len(events) > PAGE else None,
        "logged": record.generation.seq,
    }


def indented(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _place(message: SentMessage, numbers: SummaryNumbers) -> str:
    """Say which message of the transcript, or which injected text, this message is."""
    if message.label or message.position is None:
        return injected_text(numbers.label(message.label))
    return messages(message.position, message.position)


def _check(record: ContextPlan, request: RebuiltRequest) -> str:
    if request.matches:
        return _(
            "Rebuilt from the record. Its hash matches the stored one: this is exactly the request "
            "that Vitrine prepared for sending."
        )
    return _(
        "Rebuilt from the record, but its hash doesn't match the stored one (planner v{then} then, "
        "v{now} now). What was sent may differ; the plan above is as stored."
    ).format(then=record.version, now=PLANNER_VERSION)


def _event_row(event: GenerationEvent) -> EventRow:
    text = indented(event.payload)
    return EventRow(event.seq, event.kind, text[:BEGINNING], len(text))


def facts_of(record: ContextPlan) -> Iterator[tuple[str, str]]:
    """Yield what the provider reported about its response, each fact with its name."""
    outcome = getattr(record, "outcome", None)
    if outcome is None:
        yield _("outcome"), _("none stored")
        return
    yield _("finish reason"), outcome.finish_reason or _("none reported")
    yield _("usage"), _pairs(outcome.usage) or _("none reported")
    yield _("attempts"), number(outcome.attempts)
    if outcome.streamed:
        yield _("characters received"), _pairs(outcome.streamed["said"])
        yield _("characters kept"), _pairs(outcome.streamed["kept"])
    elif outcome.finish_reason:
        yield _("characters received"), _("not counted")
    if outcome.error:
        yield _("error"), f"{outcome.error['kind']}: {outcome.error['message']}"


def _pairs(values: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name} {number(value)}" for name, value in (values or {}).items())
