"""The bond of a model's reasoning: some models accept reasoning only after an unchanged prefix."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bond:
    """The bond of a block of reasoning, which describes the request that it came back for.

    `model` is the model's own name, `prefix` the digest of everything in the request except its
    reasoning, and `after` the name of the last reasoning in it, empty if it had none.
    """

    model: str
    prefix: str
    after: str = ""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Bond":
        return cls(**data)
