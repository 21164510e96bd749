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


def tried_record(trial: TriedVariant, *, with_money: bool = True) -> dict[str, Any]:
    """Return a trial as data. `with_money`: the reader may see the cost; if not, it is unknown."""
    expected = trial.prediction
    return {
        "name": trial.variant.name,
        "model": trial.agent.model,
        "refused": trial.refused or None,
        "conflicts": list(trial.conflicts),
        "plan": worded_plan(trial.plan.as_dict()) if trial.plan else None,
        "prediction": prediction_record(expected, with_money=with_money) if expected else None,
        "changes": list(map(_change, trial.changes)),
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
