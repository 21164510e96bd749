"""A model catalogue for tests, in the place of litellm's: three known models."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    context_window: int | None = None
    max_output: int | None = None


KNOWN = {
    "tiny/model": Limits(4_096, 4_096),
    "small/model": Limits(16_000, 1_000),
    "large/model": Limits(128_000, 16_000),
}


def fault(model: str) -> str:
    known = {"tiny", "small", "large", "local", "gemini"}
    return "" if model.partition("/")[0] in known else "no such provider"


def limits(model: str) -> Limits:
    return KNOWN.get(model, Limits())
