"""The panel's rows for wires: each attempt, and what litellm changed in the request."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from chatapp.inspector.raw.request import indented, rebuild
from chatapp.llm.catalogue import DEMO_MODEL
from chatapp.llm.litellm_setup import UNRECORDED
from chatapp.llm.providers.naming import provider_model
from history.models import Checkpoint, ContextPlan
from history.services.access import Actor
from history.services.explain.raw.request import CannotRebuild
from history.services.explain.raw.wire import (
    Reader,
    ShownWire,
    shown_summary_wires,
    shown_wire,
    shown_wires,
)
from history.wording.wires import attempt_title, body_line

MOST = 20_000  # How many characters of a body the panel shows; it links to the whole body.


@dataclass(frozen=True, slots=True)
class WireRow:
    """A row for one attempt. `text` may be only the beginning of the body."""

    attempt: int
    title: str
    facts: Sequence[tuple[str, str]]
    text: str
    is_whole: bool


def wires_for(record: ContextPlan, reader: Reader) -> list[ShownWire]:
    """List the wires of a request, each compared with the request that was handed to litellm."""
    return shown_wires(record, reader, _handed(record)) if record.wires.exists() else []


def last_wire(record: ContextPlan, reader: Reader) -> ShownWire | None:
    """Return the wire of the last attempt, compared with nothing; None if there is no wire."""
    wire = record.wires.order_by("attempt").last()
    return shown_wire(wire, reader) if wire else None


def wire_page(record: ContextPlan, actor: Actor) -> dict[str, Any]:
    """Return the template's context; it has no rows if no wire was recorded."""
    where = reverse("raw_wire_json", args=[record.generation.conversation_id])
    address = f"{where}?generation={record.generation_id}&step={record.step}"
    wires = wires_for(record, Reader.of(actor, record))
    return page_of(wires, record.parameters["model"], address)


def summary_page(summary: Checkpoint, actor: Actor) -> dict[str, Any]:
    """Return the template's context for a summary's request, as `wire_page` does."""
    wires = shown_summary_wires(summary, Reader(addresses=actor.is_staff))
    address = reverse("api-1:get_checkpoint", args=[summary.conversation_id, summary.pk])
    return page_of(wires, summary.model, address)


def page_of(wires: Sequence[ShownWire], model: str, address: str = "") -> dict[str, Any]:
    """Return the template's context; the complete data can be read at `address`."""
    return {
        "rows": [_row(wire) for wire in wires],
        **_differences(wires[-1] if wires else None),
        "why": "" if wires else why_unrecorded(model),
        "address": address,
    }


def _differences(wire: ShownWire | None) -> dict[str, Any]:
    """Separate changes to what the request says from changes of form, which the page folds."""
    if wire is None or (sentences := wire.sentences) is None:
        return {"differences": None}
    real = len(sentences) - wire.formal
    return {"differences": sentences[:real], "formal": sentences[real:]}


def why_unrecorded(model: str) -> str:
    """Say why nothing was recorded of a request to this model."""
    if model == DEMO_MODEL:
        return _("No HTTP request: the demo model runs inside Vitrine.")
    name = provider_model(model)
    if name and name.provider in UNRECORDED:
        sentence = _(
            "The HTTP request was not recorded: {provider} is asked in a way that can't be "
            "recorded."
        )
        return sentence.format(provider=name.provider)
    return _(
        "The HTTP request was not recorded: nothing was sent, or the request is older than this "
        "record."
    )


def _row(wire: ShownWire) -> WireRow:
    text = indented(wire.body)
    title = attempt_title(wire.attempt, wire.status, left=wire.left)
    return WireRow(wire.attempt, title, list(_facts(wire)), text[:MOST], len(text) <= MOST)


def _handed(record: ContextPlan) -> Mapping[str, Any] | None:
    try:
        return rebuild(record).body
    except CannotRebuild:
        return None


def _facts(wire: ShownWire) -> Iterator[tuple[str, str]]:
    """Yield what was recorded besides the body, each fact with its name."""
    if wire.address:
        yield _("address"), f"{wire.method} {wire.address}"
    yield _("body"), body_line(wire.size, wire.digest)
    if not wire.matches:
        yield _("check"), _("The stored parts don't add up to the body that was sent.")
    if wire.said:
        yield _("the provider said"), wire.said
    yield from wire.headers.items()
    yield from ((f"{name} ({_('answered')})", value) for name, value in wire.answered.items())
