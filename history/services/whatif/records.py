"""What was tried as JSON: for the API, the command and the page alike."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from history.core.cache import Prediction
from history.core.comparison import Change, changes
from history.core.cost import CURRENCY, plain
from history.core.replay import Replay, Replayed
from history.services.whatif.replaying import ReplayedAs
from history.services.whatif.trying import Tried


def tried_record(tried: Tried) -> dict[str, Any]:
    return {
        "name": tried.variant.name,
        "model": tried.agent["model"],
        "refused": tried.refused or None,
        "conflicts": list(tried.conflicts),
        "plan": tried.plan.as_dict() if tried.plan else None,
        "prediction": _prediction(tried.prediction) if tried.prediction else None,
        "changes": list(map(_change, tried.changes)),
    }


def replay_records(replays: Sequence[ReplayedAs]) -> list[dict[str, Any]]:
    """Each with how many messages it treats otherwise than the first one does, step by step."""
    first = replays[0].replay if replays else None
    return [_replay_record(replay, first) for replay in replays]


def _replay_record(replayed: ReplayedAs, first: Replay | None) -> dict[str, Any]:
    replay = replayed.replay
    head = {
        "name": replayed.variant.name,
        "model": replayed.model,
        "refused": replayed.refused or None,
        "currency": CURRENCY,
    }
    if replay is None:
        return head
    beside = first.steps if first and first is not replay else replay.steps
    pairs = zip(replay.steps, beside, strict=True)
    return head | {
        "requests": len(replay.steps),
        "sent": replay.sent,
        "cache_read": replay.cache_read,
        "money": plain(replay.money),
        "steps": [_step(step, other) for step, other in pairs],
    }


def _step(step: Replayed, beside: Replayed) -> dict[str, Any]:
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
        **_prediction(step.prediction),
    }


def _prediction(prediction: Prediction) -> dict[str, Any]:
    return asdict(prediction) | {"money": plain(prediction.money)}


def _change(change: Change) -> dict[str, Any]:
    return asdict(change) | {"count": change.count}
