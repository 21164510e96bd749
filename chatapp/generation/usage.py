"""Store what a request used up, and charge the owner of the conversation for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from chatapp.limits import limits
from chatapp.limits.buckets import buckets
from chatapp.live.viewers import whose
from history.core.wire.request import WireRequest
from history.models import Checkpoint, ContextPlan
from history.services.money.figures import store_outcome
from history.tokens import count_text


def settle(
    record: ContextPlan, outcome: Mapping[str, Any], text: str, sent: Sequence[WireRequest] = ()
) -> None:
    """Store a request's outcome and what was sent, and charge for it."""
    store_outcome(record, outcome, sent)
    person = whose(record.generation.conversation)
    buckets.charge(limits.tokens(), person, _tokens(record, outcome, text))
    buckets.charge(limits.bytes_stored(), person, len(text.encode("utf-8", "replace")))


def charge_summary(made: Checkpoint) -> None:
    if made.usage:
        buckets.charge(limits.tokens(), whose(made.conversation), _reported(made.usage))


def _tokens(record: ContextPlan, outcome: Mapping[str, Any], text: str) -> int:
    """Return tokens as reported; else by our count, unless the provider rejected the request."""
    if usage := outcome["usage"]:
        return _reported(usage)
    if outcome["error"] and outcome["first_token_ms"] is None:
        return 0
    return record.core_plan.window.counted + int(count_text(text))


def _reported(usage: Mapping[str, int]) -> int:
    return usage["prompt"] + usage["completion"]
