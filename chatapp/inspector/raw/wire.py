"""The panel's part on what left: each attempt, and what the library made of the request."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from chatapp.inspector.raw.request import indented, rebuild
from history.core.wire.differing import differences
from history.core.wording import number
from history.models import ContextPlan
from history.services.access import Actor
from history.services.explain.raw.request import CannotRebuild
from history.services.explain.raw.wire import OPERATOR, Reader, ShownWire, shown_wires
from history.wording.wires import wire_sentence

MOST = 20_000  # Characters of a body in the panel; all of it has an address of its own.


@dataclass(frozen=True, slots=True)
class WireRow:
    """One attempt. `text` may be the beginning of the body only."""

    attempt: int
    title: str
    facts: Sequence[tuple[str, str]]
    text: str
    is_whole: bool


def wire_page(record: ContextPlan, actor: Actor) -> dict[str, Any]:
    """Return what the template shows; no rows if what left was not recorded."""
    wires = shown_wires(record, Reader.of(actor, record))
    return {
        "rows": [_row(wire) for wire in wires],
        "differences": sentences(record),
    }


def sentences(record: ContextPlan) -> list[str] | None:
    """Word what the library made of the request; None if that cannot be compared.

    No difference holds a text that anybody hides.
    """
    wires = shown_wires(record, OPERATOR)[-1:]
    try:
        handed = rebuild(record).body if wires else {}
    except CannotRebuild:
        return None
    return [
        wire_sentence(row.fact)
        for wire in wires
        if isinstance(wire.body, Mapping)
        for row in differences(handed, wire.body, wire.address)
    ]


def _row(wire: ShownWire) -> WireRow:
    text = indented(wire.body)
    return WireRow(wire.attempt, _title(wire), list(_facts(wire)), text[:MOST], len(text) <= MOST)


def _title(wire: ShownWire) -> str:
    status = str(wire.status) if wire.status else _("no answer")
    sentence = _("Attempt {attempt}: {status}")
    return sentence.format(attempt=number(wire.attempt), status=status)


def _facts(wire: ShownWire) -> Iterator[tuple[str, str]]:
    """Yield what is recorded besides the body, each with a name."""
    if wire.address:
        yield _("address"), f"{wire.method} {wire.address}"
    size = _("{size} bytes, SHA-256 {digest}").format(size=number(wire.size), digest=wire.digest)
    yield _("body"), size
    if not wire.matches:
        yield _("check"), _("The stored parts don't add up to the body that was sent.")
    yield from wire.headers.items()
    yield from ((f"{name} ({_('answered')})", value) for name, value in wire.answered.items())
