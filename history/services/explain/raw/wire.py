"""Show what left, the same in the panel, the API and a terminal, as far as a reader may see it."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from history.models import ContextPlan, Wire
from history.services.access import Actor
from history.services.explain.prompts import may_read_prompt, private_texts
from history.services.wire.storing import body_of, wires_of

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
    without a loss. `address` is empty if the reader may not see it.
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

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def shown_wires(record: ContextPlan, reader: Reader = OPERATOR) -> list[ShownWire]:
    """List the attempts, in order; empty if nothing was recorded."""
    return [_shown(wire, reader) for wire in wires_of(record)]


def _shown(wire: Wire, reader: Reader) -> ShownWire:
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
    )


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
