"""A request as it left this process, with the headers of its answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class WireRequest:
    """One request that left, without any key. `status` is None as long as nothing answered it."""

    method: str
    address: str
    headers: Mapping[str, str]
    body: bytes
    status: int | None = None
    answered: Mapping[str, str] = field(default_factory=dict)
