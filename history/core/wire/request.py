"""A request as it left this process, with the headers of its answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class WireRequest:
    """A request that left this process, without any API key. `status` is None until an answer
    comes. `said` is how the provider explains an error. `left` is false once it is certain that
    nobody received the request, because no connection was made.
    """

    method: str
    address: str
    headers: Mapping[str, str]
    body: bytes
    status: int | None = None
    answered: Mapping[str, str] = field(default_factory=dict)
    said: str = ""
    left: bool = True


@dataclass(slots=True)
class Outgoing:
    """The request that a library got for a call of a model, and each attempt that was sent."""

    handed: Mapping[str, Any] = field(default_factory=dict)
    sent: list[WireRequest] = field(default_factory=list)


def value_of(body: bytes) -> Any:
    """Return the JSON value of a body; the body's text if it is not JSON."""
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")
