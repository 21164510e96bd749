"""Show what left, the same in the panel, the API and a terminal, as far as a reader may see it."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from history.core.facts import Fact
from history.core.wire.differing import differences
from history.models import ContextPlan, Wire
from history.services.access import Actor
from history.services.explain.prompts import may_read_prompt, private_texts
from history.services.wire.storing import body_of, wires_of
from history.wording.wires import wire_sentence

HIDDEN = "[not shown to owners of a conversation]"
PROMPTS = frozenset({"system", "system_instruction", "systemInstruction"})


@dataclass(frozen=True, slots=True)
class Reader:
    """Whether somebody may read the prompt, and see where providers are."""

    prompts: bool = True
    addresses: bool = True

    @classmethod
    def of(cls, actor: Actor, record: ContextPlan) -> "Reader":
        return cls(may_read_prompt(actor, record), actor.is_staff)


OPERATOR = Reader()


@dataclass(frozen=True, slots=True)
class ShownWire:
    """One attempt. `body` is its JSON value, with what the reader may not see replaced; `digest`
    and `size` are those of the body that left, and `matches` says that it was put together again
    without a loss. `address` is empty if the reader may not see it. `differences` are what the
    library made of the request, None if that is unknown; no text that anybody hides is in one.
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
    differences: tuple[Fact, ...] | None

    @property
    def sentences(self) -> list[str] | None:
        """The differences in words."""
        return None if self.differences is None else list(map(wire_sentence, self.differences))

    def as_dict(self) -> dict[str, Any]:
        """Return what the API shows: each difference as a fact and as a sentence."""
        facts = self.differences
        told = facts if facts is None else [_told(fact) for fact in facts]
        return {**asdict(self), "differences": told}


def shown_wires(
    record: ContextPlan, reader: Reader = OPERATOR, handed: Mapping[str, Any] | None = None
) -> list[ShownWire]:
    """List the attempts, in order; empty if nothing was recorded. `handed` is the request that
    the library got, None if it is unknown.
    """
    return [_shown(wire, reader, handed) for wire in wires_of(record)]


def _shown(wire: Wire, reader: Reader, handed: Mapping[str, Any] | None) -> ShownWire:
    data = body_of(wire)
    body = value_of(data)
    return ShownWire(
        attempt=wire.attempt,
        method=wire.method,
        address=wire.address if reader.addresses else "",
        headers=wire.headers,
        body=body if reader.prompts else redacted(body, private_texts(wire.plan)),
        digest=wire.digest,
        size=wire.size,
        matches=hashlib.sha256(data).hexdigest() == wire.digest,
        status=wire.status,
        answered=wire.answered,
        differences=None if handed is None else facts_of(handed, body, wire.address),
    )


def facts_of(handed: Mapping[str, Any], body: Any, address: str) -> tuple[Fact, ...]:
    """Compare what a library was handed with the body that left."""
    rows = differences(handed, body, address) if isinstance(body, Mapping) else ()
    return tuple(row.fact for row in rows)


def _told(fact: Fact) -> dict[str, Any]:
    return {**fact.as_dict(), "sentence": wire_sentence(fact)}


def value_of(body: bytes) -> Any:
    """Return the body's JSON value; its text if it is none."""
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")


def redacted(body: Any, private: Iterable[str]) -> Any:
    """Return the body without private texts, and with nothing of its tools but their names.

    Libraries put the prompt in places of their own, so it is looked for in every text.
    """
    if not isinstance(body, dict):
        return HIDDEN
    texts = [text.strip() for text in private if text.strip()]
    kept = {name: _without(value, texts) for name, value in body.items() if name != "tools"}
    kept |= dict.fromkeys(PROMPTS & body.keys(), HIDDEN)
    return kept | ({"tools": _named(body["tools"])} if "tools" in body else {})


def _without(value: Any, texts: list[str]) -> Any:
    if isinstance(value, str):
        return HIDDEN if any(text in value for text in texts) else value
    if isinstance(value, list):
        return [_without(each, texts) for each in value]
    if isinstance(value, dict):
        return {name: _without(each, texts) for name, each in value.items()}
    return value


def _named(tools: Any) -> list[dict[str, str]]:
    """Return the tools' names, whatever a provider wraps them in."""
    if isinstance(tools, list):
        return [named for tool in tools for named in _named(tool)]
    if not isinstance(tools, dict):
        return []
    if isinstance(tools.get("name"), str):
        return [{"name": tools["name"]}]
    return [named for value in tools.values() for named in _named(value)]
