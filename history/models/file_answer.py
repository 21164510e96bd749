"""What an imported file says about an answer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """An answer as the file describes it: whether it `continues` the one above it, which was broken
    off, and how it ended: done, stopped, passed over, interrupted or failed, with the error's
    `message`. Nobody has checked this.
    """

    continues: bool = False
    status: str = "done"
    error: Mapping[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
