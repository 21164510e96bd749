"""What an imported file says of an answer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """Whether an answer `continues` the one above it, which was broken off, and how it ended: done,
    stopped, interrupted or failed, with the error's `message`. Nobody has checked it.
    """

    continues: bool = False
    status: str = "done"
    error: Mapping[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
