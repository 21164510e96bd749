"""Count answers, attempts and usage, each of which belongs to several metrics."""

from collections.abc import Mapping
from typing import Any

from chatapp.telemetry import metrics
from chatapp.telemetry.metric import LabelLimit

MODELS, KINDS = LabelLimit(100), LabelLimit(50)


def answer_ended(status: str, kind: str) -> None:
    """Count an answer; `kind` is the kind of its failure, empty if it did not fail."""
    metrics.ANSWERS.count(status, KINDS(kind))


def provider_asked(model: str, outcome: str, attempt: int) -> None:
    """Count one attempt at a request; `attempt` 1 is the first."""
    metrics.REQUESTS.count(MODELS(model), KINDS(outcome))
    if attempt > 1:
        metrics.RETRIES.count(MODELS(model))


def first_token(model: str, milliseconds: float | None) -> None:
    if milliseconds is not None:
        metrics.FIRST_TOKEN_SECONDS.observe(milliseconds / 1000, MODELS(model))


def used(model: str, usage: Mapping[str, Any] | None, cost: Mapping[str, Any] | None) -> None:
    """Count the tokens that a provider reported."""
    kinds = {"input": "prompt", "cached": "cache_read", "output": "completion"}
    for kind, key in kinds.items():
        if amount := (usage or {}).get(key):
            metrics.TOKENS.count(MODELS(model), kind, amount=max(0, amount))
    if cost:
        metrics.COST.count(MODELS(model), amount=max(0.0, float(cost["total"])))


def tool_ended(*, failed: bool, milliseconds: float) -> None:
    metrics.TOOL_CALLS.count("failed" if failed else "ok")
    metrics.TOOL_SECONDS.observe(milliseconds / 1000)
