"""The cost of requests, at the prices in force when each was made, and all their figures in
columns.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction

from agents.catalogue import catalogue
from history.core.money.cost import FREE_OF_CHARGE, Usage, cost_of
from history.core.plan.plan import Plan
from history.core.wire.request import WireRequest
from history.models import (
    CallFigures,
    Checkpoint,
    CheckpointState,
    ContextPlan,
    Generation,
    RequestOutcome,
    Wire,
)
from history.services.inserting import insert, insert_all
from history.services.settings import calibration
from history.services.wire.delivery import has_left
from history.services.wire.storing import rows_of

logger = logging.getLogger(__name__)


def store_outcome(
    record: ContextPlan, fields: Mapping[str, Any], requests: Sequence[WireRequest] = ()
) -> None:
    """Store a request's outcome with its cost, which later price changes do not affect, and the
    `requests` that left for it.

    Do nothing if the conversation and its plans were deleted meanwhile. The provider's count
    corrects our own count from the next message on.
    """
    model, usage = record.parameters["model"], fields.get("usage")
    wires = _wires(record, requests)
    with suppress(IntegrityError), transaction.atomic():
        outcome = RequestOutcome(plan=record, cost=stored_cost(model, usage), **fields)
        insert(outcome)
        store_figures(record, outcome)
        insert_all(wires)
    if usage:
        window, factor = record.core_plan.window, record.core_plan.factor
        calibration.record_texts(model, window, factor, usage["prompt"])


def store_wires(record: ContextPlan, requests: Sequence[WireRequest]) -> None:
    """Store what left for a plan's request before there is an outcome. An earlier try may have."""
    wires = _wires(record, requests)
    with suppress(IntegrityError), transaction.atomic():
        insert_all(wires)


def _wires(record: ContextPlan, requests: Sequence[WireRequest]) -> list[Wire]:
    """Pack the wires; this takes a while, so it happens before anything is locked.

    A failure here must not lose the outcome, so it is only logged.
    """
    try:
        return rows_of(record, requests)
    except Exception as error:
        lost = "What left for the plan %s could not be recorded: %s"
        logger.warning(lost, record.pk, type(error).__name__, exc_info=error)
        return []


def stored_cost(model: str, usage: Mapping[str, int] | None) -> dict[str, Any] | None:
    """Return the cost as JSON; None if a price or the usage is unknown.

    A request to a free model costs nothing, even if it was stopped and no usage was reported.
    """
    prices = catalogue().prices(model)
    if usage is None:
        return FREE_OF_CHARGE.as_dict() if prices.is_free else None
    cost = cost_of(Usage.reported(usage), prices)
    return None if cost.total is None else cost.as_dict()


MOST = 2**31 - 1


def store_figures(record: ContextPlan, outcome: RequestOutcome) -> None:
    """Store a request's figures. They replace those that were stored if it was taken for lost."""
    figures = {**_whose(record), **_figures(record, outcome)}
    CallFigures.objects.bulk_create(  # One statement is enough: most requests have no figures yet.
        [CallFigures(plan=record, **figures)],
        update_conflicts=True,
        update_fields=list(figures),
        unique_fields=["plan"],
    )


def store_lost_figures(generation: Generation, *, brought: bool) -> None:
    """Count the requests of an answer whose process ended before it could store their outcome, so
    that their usage is unknown. `brought`: the newest request brought some words, so it lasted at
    least until the last sign of life of its process.
    """
    lost = list(generation.plans.filter(outcome=None, figures=None).order_by("step"))
    for record in lost:
        total_ms = _known_ms(record, generation) if brought and record is lost[-1] else None
        unknown = reported(None, stored_cost(record.parameters["model"], None))
        figures = {**planned(record.core_plan), **unknown, "total_ms": total_ms}
        CallFigures.objects.create(plan=record, **_whose(record), **figures)


def _known_ms(record: ContextPlan, generation: Generation) -> float:
    heard = generation.heartbeat_at or record.created
    return max(0.0, (heard - record.created).total_seconds() * 1000)


def _whose(record: ContextPlan) -> dict[str, Any]:
    return {
        "conversation_id": record.generation.conversation_id,
        "model": record.parameters["model"],
        "agent": record.generation.snapshot_at(record.step).agent.slug,
        "created": record.created,
    }


def _figures(record: ContextPlan, outcome: RequestOutcome) -> dict[str, Any]:
    """Return the planned and reported figures; a request that never left cost and sent nothing."""
    figures = {
        **planned(record.core_plan),
        **reported(outcome.usage, outcome.cost),
        **measured(outcome),
    }
    return figures if has_left(record) else {**figures, "counted": 0, "cost": Decimal(0)}


def store_summary_figures(row: Checkpoint) -> None:
    """Store the figures of a call for a summary, whether or not the summary could be used.

    A failure without reported usage does not count as a call. Do nothing if the conversation was
    deleted meanwhile.
    """
    if row.usage is None and row.state == CheckpointState.FAILED:
        return
    with suppress(IntegrityError), transaction.atomic():
        CallFigures.objects.create(
            summary=row,
            conversation_id=row.conversation_id,
            model=row.model,
            agent=row.conversation.agent.slug,
            created=row.created,
            **reported(row.usage, row.cost),
        )


def planned(plan: Plan) -> dict[str, int]:
    """Count the tokens sent, those of the whole transcript, and those of it that were left out."""
    messages = [entry for entry in plan.entries if entry.positions]
    there = sum(entry.whole for entry in messages)
    left_out = there - sum(entry.sent_tokens for entry in messages)
    return {
        "counted": plan.window.sent,
        "transcript": there,
        "left_out": max(0, left_out),
    }


def reported(
    usage: Mapping[str, int] | None, cost: Mapping[str, Any] | None
) -> dict[str, int | Decimal | None]:
    """Return the columns with what a `RequestOutcome` or a `Checkpoint` reports."""
    usage = usage or {}
    return {
        "prompt": _possible(usage.get("prompt")),
        "output": _possible(usage.get("completion")),
        "cache_read": _possible(usage.get("cache_read")),
        "cost": Decimal(cost["total"]) if cost else None,
    }


def measured(outcome: RequestOutcome) -> dict[str, float | None]:
    """Return how long the answer took; None for a failure, whose time would mislead."""
    first = outcome.first_token_ms
    return {"first_ms": first, "total_ms": None if first is None else outcome.total_ms}


def _possible(tokens: int | None) -> int | None:
    """Accept a count of tokens only if a column can store it, as providers may report anything."""
    return tokens if tokens is not None and 0 <= tokens <= MOST else None
