"""Store what requests cost, at the prices in force when each was made."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.db import IntegrityError, transaction

from agents.catalogue import catalogue
from history.core.money.cost import Usage, cost_of
from history.models import ContextPlan, RequestOutcome
from history.services.money.figures import store_figures
from history.services.settings import calibration


def store_outcome(record: ContextPlan, fields: Mapping[str, Any]) -> None:
    """Store a request's outcome with its cost, so that later price changes don't affect it.

    Do nothing if the conversation and its plans were deleted meanwhile. The provider's count
    corrects our own counting from the next message on.
    """
    model, usage = record.parameters["model"], fields.get("usage")
    with suppress(IntegrityError), transaction.atomic():
        outcome = RequestOutcome(plan=record, cost=stored_cost(model, usage), **fields)
        outcome.save()
        store_figures(record, outcome)
    if usage:
        counted = record.core_plan.window.counted
        calibration.record(model, counted, usage["prompt"])


def stored_cost(model: str, usage: Mapping[str, int] | None) -> dict[str, Any] | None:
    """Return the cost as JSON; None if tokens were not reported or a price is unknown."""
    if usage is None:
        return None
    cost = cost_of(Usage.reported(usage), catalogue().prices(model))
    return None if cost.total is None else cost.as_dict()
