"""Show wires in the same way in the panel, the API and a terminal, without what a reader may not
see.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from history.core.wire.differing import facts_of
from history.core.wire.form import by_form
from history.core.wire.request import Outgoing, value_of
from history.core.words.facts import Fact, Rule
from history.models import Checkpoint, ContextPlan, SentRequest, SummaryWire, Wire
from history.services.access import Actor
from history.services.explain.prompts import may_read_prompt, private_texts
from history.services.wire.storing import (
    body_of,
    body_of_summary,
    columns_of,
    digest_of,
    wires_of,
)
from history.wording.wires import wire_sentence

HIDDEN = "[not shown to owners of a conversation]"
COLUMNS = (
    *("attempt", "method", "address", "headers", "digest", "size"),
    *("status", "answered", "said", "left"),
)
TOOLS = re.compile(r"((?:.*?\.)?tools\[\]).+")  # A path that leads into the tools' schemas.
PROMPTS = frozenset({"system", "system_instruction", "systemInstruction"})


@dataclass(frozen=True, slots=True)
class Reader:
    """What a reader may see: the prompt, and the addresses of providers."""

    prompts: bool = True
    addresses: bool = True

    @property
    def reads_words(self) -> bool:
        return self.prompts and self.addresses

    @classmethod
    def of(cls, actor: Actor, record: ContextPlan) -> "Reader":
        return cls(may_read_prompt(actor, record), actor.is_staff)


OPERATOR = Reader()


@dataclass(frozen=True, slots=True)
class ShownWire:
    """One attempt. `body` is its JSON value, with what the reader may not see replaced; `digest`
    and `size` are those of the body that left, and `matches` says that it was restored exactly.
    `address` and `said`, the provider's words for an error, are empty if the reader may not see
    them. `left` is false if it is certain that nobody received the request. `differences` are what
    the library changed in the request, None if that is unknown; they contain no private text. The
    last `formal` of them only change its form. `text` is the body as it left, byte for byte, or
    what this reader may see of it.
    """

    attempt: int
    method: str
    address: str
    headers: Mapping[str, str]
    body: Any
    digest: str
    size: int
    matches: bool
    status: int | None
    answered: Mapping[str, str]
    said: str
    left: bool
    differences: tuple[Fact, ...] | None
    formal: int
    text: str

    @property
    def sentences(self) -> list[str] | None:
        """The differences as sentences."""
        return None if self.differences is None else list(map(wire_sentence, self.differences))

    def as_dict(self) -> dict[str, Any]:
        """Return what the API shows; each difference is a fact and a sentence."""
        facts, fields = self.differences, asdict(self)
        differences = None
        if facts is not None:
            differences = [{**fact.as_dict(), "sentence": wire_sentence(fact)} for fact in facts]
        # Programs do not need the fields that only pages show.
        del fields["text"], fields["formal"]
        return {**fields, "differences": differences}


def shown_wires(
    record: ContextPlan, reader: Reader = OPERATOR, arguments: Mapping[str, Any] | None = None
) -> list[ShownWire]:
    """List the attempts in order; the list is empty if nothing was recorded. `arguments` is the
    request that the library got, None if that is unknown.
    """
    return [shown_wire(wire, reader, arguments) for wire in wires_of(record)]


def shown_summary_wires(summary: Checkpoint, reader: Reader = OPERATOR) -> list[ShownWire]:
    """List the attempts to have a summary written. Everybody who sees the chat may read their
    bodies, too.
    """
    rows = summary.wires.order_by("attempt")
    return [_seen(_of_summary(wire), reader) for wire in rows]


def shown_outgoing(outgoing: Outgoing) -> list[ShownWire]:
    """List the attempts of a model call that is not stored."""
    return [
        _shown(
            {**columns_of(request), "attempt": attempt},
            request.body,
            facts_of(outgoing.handed, value_of(request.body), request.address),
        )
        for attempt, request in enumerate(outgoing.sent, 1)
    ]


def shown_wire(row: Wire, reader: Reader, arguments: Mapping[str, Any] | None = None) -> ShownWire:
    data = body_of(row)
    facts = None if arguments is None else facts_of(arguments, value_of(data), row.address)
    wire = _seen(_shown(_columns(row), data, facts), reader)
    if reader.prompts:
        return wire
    body = redacted(wire.body, private_texts(row.plan))
    text = json.dumps(body, ensure_ascii=False)
    return replace(_with_differences(wire, facts, hide=True), body=body, text=text)


def _of_summary(wire: SummaryWire) -> ShownWire:
    facts = tuple(map(Fact.from_dict, wire.differences))
    return _shown(_columns(wire), body_of_summary(wire), facts)


def _columns(wire: SentRequest) -> dict[str, Any]:
    return {name: getattr(wire, name) for name in COLUMNS}


def _shown(columns: Mapping[str, Any], data: bytes, facts: tuple[Fact, ...] | None) -> ShownWire:
    matches = digest_of(data) == columns["digest"]
    text = data.decode(errors="replace")
    body = value_of(data)
    wire = ShownWire(**columns, body=body, matches=matches, differences=None, formal=0, text=text)
    return _with_differences(wire, facts)


def _with_differences(
    wire: ShownWire, facts: tuple[Fact, ...] | None, *, hide: bool = False
) -> ShownWire:
    """Add the differences: first those that change the request, then those of its form only."""
    if facts is None:
        return wire
    real, formal = by_form(facts)
    if hide:
        real = tuple(without_tools(real))
        formal = tuple(fact for fact in without_tools(formal) if fact not in real)
    return replace(wire, differences=(*real, *formal), formal=len(formal))


def _seen(wire: ShownWire, reader: Reader) -> ShownWire:
    """Hide what the reader may not see; even `said` may quote both the address and the prompt."""
    address = wire.address if reader.addresses else ""
    return replace(wire, address=address, said=wire.said if reader.reads_words else "")


def redacted(body: Any, private: Iterable[str]) -> Any:
    """Return the body without private texts, and with nothing of its tools but their names.

    Libraries put the prompt in places of their own choosing, so every text is searched for it.
    """
    if not isinstance(body, dict):
        return HIDDEN
    texts = [text.strip() for text in private if text.strip()]
    fields = {name: _without(value, texts) for name, value in body.items() if name != "tools"}
    fields |= dict.fromkeys(PROMPTS & body.keys(), HIDDEN)
    return fields | ({"tools": _named(body["tools"])} if "tools" in body else {})


def _without(value: Any, texts: list[str]) -> Any:
    if isinstance(value, str):
        return HIDDEN if any(text in value for text in texts) else value
    if isinstance(value, list):
        return [_without(each, texts) for each in value]
    if isinstance(value, dict):
        return {name: _without(each, texts) for name, each in value.items()}
    return value


def without_tools(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield the facts, with those on tools merged into one per rule, because their paths contain
    the names of arguments.
    """
    inner: set[tuple[Rule, str, str]] = set()
    for fact in facts:
        path, to = (TOOLS.sub(r"\1", str(fact.figures[name])) for name in ("path", "to"))
        if (path, to) == (fact.figures["path"], fact.figures["to"]):
            yield fact
        elif (fact.rule, path, to) not in inner:
            inner.add((fact.rule, path, to))
            hidden = {"path": path, "to": to, "was": [], "now": [], "count": 1}
            yield replace(fact, figures={**fact.figures, **hidden})


def _named(tools: Any) -> list[dict[str, str]]:
    """Return the tools' names, however a provider's format nests them."""
    if isinstance(tools, list):
        return [name for tool in tools for name in _named(tool)]
    if not isinstance(tools, dict):
        return []
    if isinstance(tools.get("name"), str):
        return [{"name": tools["name"]}]
    return [name for value in tools.values() for name in _named(value)]
