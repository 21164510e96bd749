"""Store what a request used up, and charge the owner of the conversation for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from agents.tools import Picture
from chatapp.generation.reading.thoughts import stored_size
from chatapp.limits import limits
from chatapp.limits.spending import buckets
from chatapp.telemetry import measuring
from chatapp.telemetry.metrics import TOKENS
from history.core.wire.request import WireRequest
from history.models import Checkpoint, ContextPlan, Conversation
from history.services.access import person_of
from history.services.answers import background
from history.services.answers.lifecycle import is_held
from history.services.answers.so_far import Reply
from history.services.wire.figures import store_outcome, store_wires, stored_cost
from history.tokens import count_text


def settle(
    record: ContextPlan,
    outcome: Mapping[str, Any],
    reply: Reply,
    wires: Sequence[WireRequest] = (),
    *,
    only_if_held: bool = False,
) -> None:
    """Store a request's outcome and its wires, and charge for it and for the reply. With
    `only_if_held`, do so only if no other process has the generation.
    """
    if only_if_held and not is_held(record.generation):
        return
    store_outcome(record, outcome, wires)
    _measure(record.parameters["model"], outcome)
    person = person_of(record.generation.conversation)
    buckets.charge(limits.tokens(), person, _tokens(record, outcome, reply))
    fields = [part.fields for part in reply.reasoning]
    buckets.charge(limits.bytes_stored(), person, stored_size(_texts(reply), fields))


def note_accepted(record: ContextPlan, response: str, wires: Sequence[WireRequest]) -> None:
    """Store that the provider goes on with the answer, and what left for it: the process may end
    before there is an outcome.
    """
    with transaction.atomic():
        background.accepted(record, response)
        store_wires(record, wires)


def charge_summary(summary: Checkpoint) -> None:
    if summary.usage:
        measuring.used(summary.model, summary.usage, summary.cost)
        buckets.charge(limits.tokens(), person_of(summary.conversation), _reported(summary.usage))


def _measure(model: str, outcome: Mapping[str, Any]) -> None:
    if TOKENS.is_on:
        measuring.first_token(model, outcome["first_token_ms"])
        measuring.used(model, outcome["usage"], stored_cost(model, outcome["usage"]))


def charge_pictures(conversation: Conversation, pictures: Sequence[Picture]) -> None:
    """Charge for the pictures of a tool's result as for attached files."""
    size = sum(len(picture.data) for picture in pictures)
    buckets.charge(limits.file_bytes(), person_of(conversation), size)


def _tokens(record: ContextPlan, outcome: Mapping[str, Any], reply: Reply) -> int:
    """Return the tokens as reported, or else as we count them; 0 for a rejected request."""
    if usage := outcome["usage"]:
        return _reported(usage)
    if outcome["error"] and outcome["first_token_ms"] is None and not reply:
        return 0
    return record.core_plan.window.counted + sum(int(count_text(text)) for text in _texts(reply))


def _texts(reply: Reply) -> list[str]:
    return [reply.text, *(part.text for part in reply.reasoning)]


def _reported(usage: Mapping[str, int]) -> int:
    return usage["prompt"] + usage["completion"]
