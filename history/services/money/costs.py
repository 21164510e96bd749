"""What requests have cost, by the prices in force when each was made."""

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
    """Keep what came back of a request, with its cost: a later change of prices is not to touch it.

    Not where the conversation was deleted meanwhile, and its plans with it. What the provider
    counted corrects our own counting from the next message on.
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
    """As JSON; None where tokens were not reported or a price is not known."""
    if usage is None:
        return None
    cost = cost_of(Usage.reported(usage), catalogue().prices(model))
    return None if cost.total is None else cost.as_dict()
