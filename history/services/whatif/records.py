"""What-if results as JSON: for the API, the command and the page alike."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from history.core.money.cache import Prediction
from history.core.money.cost import CURRENCY, plain
from history.core.plan.comparison import VerdictChange, changes
from history.core.replay.replay import Replay, ReplayedStep
from history.services.whatif.replaying import ReplayedAs
from history.services.whatif.trying import TriedVariant
from history.wording.differences import difference_of
from history.wording.plans import worded_plan
from history.wording.reasons import reason_of


def tried_record(tried: TriedVariant, *, with_money: bool = True) -> dict[str, Any]:
    """`with_money`: the reader may know what it costs; otherwise the cost counts as unknown."""
    expected = tried.prediction
    return {
        "name": tried.variant.name,
        "model": tried.agent["model"],
        "refused": tried.refused or None,
        "conflicts": list(tried.conflicts),
        "plan": worded_plan(tried.plan.as_dict()) if tried.plan else None,
        "prediction": _prediction(expected, with_money=with_money) if expected else None,
        "changes": list(map(_change, tried.changes)),
    }


def replay_records(
    replays: Sequence[ReplayedAs], *, with_money: bool = True
) -> list[dict[str, Any]]:
    """Return each replay with the number of messages whose verdict differs from the first's."""
    first = replays[0].replay if replays else None
    return [_replay_record(replay, first, with_money=with_money) for replay in replays]


def _replay_record(
    replayed: ReplayedAs, first: Replay | None, *, with_money: bool
) -> dict[str, Any]:
    replay = replayed.replay
    head = {
        "name": replayed.variant.name,
        "model": replayed.model,
        "refused": replayed.refused or None,
        "conflicts": list(replayed.conflicts),
        "currency": CURRENCY,
    }
    if replay is None:
        return head
    beside = first.steps if first and first is not replay else replay.steps
    pairs = zip(replay.steps, beside, strict=True)
    return head | {
        "requests": len(replay.steps),
        "refusals": len(replay.refusals),
        "sent": replay.sent,
        "cache_read": replay.cache_read,
        "money": plain(replay.money) if with_money else None,
        "steps": [_step(step, other, with_money=with_money) for step, other in pairs],
    }


def _step(step: ReplayedStep, beside: ReplayedStep, *, with_money: bool) -> dict[str, Any]:
    place = {"turn": step.step.turn, "step": step.step.number}
    if step.plan is None or step.prediction is None:
        return place | {"refused": step.refused}
    found = changes(beside.plan, step.plan) if beside.plan and beside is not step else ()
    counts = step.plan.counts
    return {
        **place,
        "sent": step.plan.window.sent,
        "messages_sent": counts.sent,
        "messages": counts.transcript,
        "changed": sum(change.count for change in found),
        **_prediction(step.prediction, with_money=with_money),
    }


def _prediction(prediction: Prediction, *, with_money: bool) -> dict[str, Any]:
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
