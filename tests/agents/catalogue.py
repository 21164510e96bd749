"""A model catalogue for tests, in the place of litellm's: two known models."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    context_window: int | None = None
    max_output: int | None = None


KNOWN = {"small/model": Limits(16_000, 1_000), "large/model": Limits(128_000, 16_000)}


def fault(model: str) -> str:
    return "" if model.partition("/")[0] in {"small", "large", "local"} else "no such provider"


def limits(model: str) -> Limits:
    return KNOWN.get(model, Limits())
