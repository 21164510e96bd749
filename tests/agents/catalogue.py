"""A model catalogue for tests, in the place of litellm's: two known models."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    context_window: int | None = None
    max_output: int | None = None


KNOWN = {"small/model": Limits(16_000, 1_000), "large/model": Limits(128_000, 16_000)}


def limits(model: str) -> Limits:
    return KNOWN.get(model, Limits())
