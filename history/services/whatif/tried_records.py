"""The results of a try as records for programs."""

from dataclasses import asdict
from typing import Any

from history.core.money.cache import Prediction
from history.core.money.cost import plain
from history.core.plan.comparison import VerdictChange
from history.services.whatif.trying import TriedVariant
from history.wording.differences import difference_of
from history.wording.plans import worded_plan
from history.wording.reasons import reason_of


def tried_record(tried: TriedVariant, *, with_money: bool = True) -> dict[str, Any]:
    """Return a try as data. `with_money`: the reader may see the cost; otherwise it is unknown."""
    expected = tried.prediction
    return {
        "name": tried.variant.name,
        "model": tried.agent.model,
        "refused": tried.refused or None,
        "conflicts": list(tried.conflicts),
        "plan": worded_plan(tried.plan.as_dict()) if tried.plan else None,
        "prediction": prediction_record(expected, with_money=with_money) if expected else None,
        "changes": list(map(_change, tried.changes)),
    }


def prediction_record(prediction: Prediction, *, with_money: bool) -> dict[str, Any]:
    return asdict(prediction) | {
        "money": plain(prediction.money) if with_money else None,
        "first_difference": difference_of(prediction.first_difference),
    }


def _change(change: VerdictChange) -> dict[str, Any]:
    return {
        "first": change.first,
        "last": change.last,
        "was": change.was,
        "now": change.now,
        "reason": reason_of(change.entry),
        "count": change.count,
    }
