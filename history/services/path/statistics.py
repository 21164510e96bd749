"""The figures of a conversation: how many messages, model requests and summaries it has."""

from typing import Any

from django.db.models import Count, QuerySet, Sum

from history.models import CheckpointState, ContextPlan, Conversation, RequestOutcome
from history.services.path.appending import head_of

KINDS = ("prompt", "completion", "cache_read", "cache_write")


def statistics_of(conversation: Conversation) -> dict[str, Any]:
    """Count all messages, generations and checkpoints, but only the path's turns and tokens."""
    head = head_of(conversation.branch) if conversation.branch else None
    ready = conversation.checkpoints.filter(state=CheckpointState.READY)
    sums = ready.aggregate(tokens=Sum("tokens", default=0), source=Sum("source_tokens", default=0))
    requests = ContextPlan.objects.filter(generation__conversation=conversation)
    return {
        "messages": _counts(conversation.messages.all(), "role"),
        "turns": head.turn if head else 0,
        "branches": conversation.branches.count(),
        "tokens": head.tokens_through if head else 0,
        "generations": _counts(conversation.generations.all(), "status"),
        "requests": requests.count(),
        "usage": _usage(conversation),
        "checkpoints": _counts(conversation.checkpoints.all(), "state"),
        "summary_tokens": sums["tokens"],
        "summarised_tokens": sums["source"],
    }


def _counts(rows: QuerySet[Any], field: str) -> dict[str, int]:
    groups = rows.order_by(field).values_list(field).annotate(Count("pk"))
    return {str(value): count for value, count in groups}


def _usage(conversation: Conversation) -> dict[str, int] | None:
    """Add up usage in Python, because databases differ in how they query JSON."""
    rows = RequestOutcome.objects.filter(plan__generation__conversation=conversation)
    reports: list[dict[str, int]] = list(filter(None, rows.values_list("usage", flat=True)))
    if not reports:
        return None
    return {kind: sum(report.get(kind, 0) for report in reports) for kind in KINDS}
