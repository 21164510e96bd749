"""The bond of a model's reasoning: some models accept reasoning only after an unchanged prefix."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bond:
    """The request that a block of reasoning came back for.

    `model` is the model's own name, `prefix` the digest of everything that the request said, its
    reasoning apart, and `after` names the last reasoning in it; empty if there was none.
    """

    model: str
    prefix: str
    after: str = ""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Bond":
        return cls(**data)
