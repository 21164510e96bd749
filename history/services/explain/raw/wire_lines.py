"""What left, as lines for a terminal."""

from collections.abc import Iterator, Sequence

from history.core.wording import number, printable
from history.services.explain.lines import title
from history.services.explain.raw.wire import ShownWire
from history.wording.wires import attempt_title, body_line

INDENT = "    "


def wire_lines(wires: Sequence[ShownWire], why_none: str) -> Iterator[str]:
    """Write each attempt, and what the library changed; `why_none` if there is none."""
    yield from title("what left")
    if not wires:
        yield f"  {why_none}"
    for wire in wires:
        yield from _attempt(wire)
    for wire in wires[-1:]:
        yield from _differences(wire)


def _attempt(wire: ShownWire) -> Iterator[str]:
    yield f"  {attempt_title(wire.attempt, wire.status)}"
    yield f"{INDENT}{wire.method} {wire.address}"
    yield f"{INDENT}{body_line(wire.size, wire.digest)}"
    if wire.said:
        yield f"{INDENT}the provider said: {printable(wire.said, len(wire.said))}"


def _differences(wire: ShownWire) -> Iterator[str]:
    """Compare the last attempt with what the library was handed."""
    sentences = wire.sentences
    if sentences is None:
        yield "  The current planner can't rebuild this request, so it can't be compared."
    else:
        yield f"  The library changed before sending: {number(len(sentences))}"
        yield from (f"{INDENT}{sentence}" for sentence in sentences)
