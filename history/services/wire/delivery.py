"""Whether requests reached their model, and why those without an answer failed."""

from dataclasses import dataclass
from enum import Enum

from history.models import ContextPlan, RequestOutcome
from history.models.generation import ACTIVE, GenerationStatus

ANSWERED = (GenerationStatus.DONE, GenerationStatus.WAITING, GenerationStatus.PASSED_OVER)


class Delivery(Enum):
    """Whether a request reached its model; UNKNOWN if its process ended before it could tell."""

    PENDING = "pending"
    UNKNOWN = "unknown"
    DELIVERED = "delivered"


@dataclass(frozen=True, slots=True)
class FailedRequest:
    """A request that failed without an answer. `kind` and `message` are those of the stored error.

    `left`: the request left this process.
    """

    model: str
    kind: str
    message: str
    left: bool


def failed_request(record: ContextPlan) -> FailedRequest | None:
    """Return how a request failed before its first token; None if it got one, or did not fail."""
    outcome = getattr(record, "outcome", None)
    if outcome is None or not outcome.error or outcome.first_token_ms is not None:
        return None
    error = outcome.error
    return FailedRequest(
        model=record.parameters["model"],
        kind=error["kind"],
        message=error["message"],
        left=not never_left(outcome),
    )


def delivery_of(record: ContextPlan) -> Delivery:
    """Return whether a request reached its model; of a failed one, `failed_request` says more."""
    status = record.generation.status
    if status in ANSWERED or hasattr(record, "outcome"):
        return Delivery.DELIVERED
    return Delivery.PENDING if status in ACTIVE else Delivery.UNKNOWN


def has_left(record: ContextPlan) -> bool:
    """Whether the request was sent, or may still be sent."""
    outcome = getattr(record, "outcome", None)
    return outcome is None or not never_left(outcome)


def never_left(outcome: RequestOutcome) -> bool:
    """Whether the request is known not to have left; outcomes that don't say so count as sent."""
    return outcome.error is not None and not outcome.error.get("left", True)
