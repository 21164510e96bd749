"""Replay a whole conversation, turn by turn, under a few variants side by side."""

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.catalogue import catalogue
from agents.effective import Output, contradictions
from history.core.money.cost import CURRENCY, plain
from history.core.plan.comparison import changes
from history.core.plan.plan import Plan
from history.core.plan.verdict import PRESERVE
from history.core.replay.replay import (
    PastStep,
    PathSummaries,
    Replay,
    ReplayedStep,
    SummaryPeriod,
    past_steps,
    priced,
    replay,
)
from history.core.summaries.checkpoints import chain_hash
from history.core.transcript.messages import Role
from history.core.words.errors import CannotPlan, NeedsMore
from history.core.words.wording import number
from history.models import Checkpoint, CheckpointState, Conversation, Message
from history.services.path.queries import PAGE
from history.services.path.reading import on_path
from history.services.path.transcripts import MORE, lies_on, newest_part
from history.services.planning.projecting import PlanInput, request_of
from history.services.whatif.tried_records import prediction_record
from history.services.whatif.trying import AS_IT_IS, Variant, present, varied
from history.wording.faults import word_supposed

TURNS = 200  # The most turns of a replay, which is also the default.
LONGEST = 50_000  # The most messages that one replay reads.
Check: TypeAlias = Callable[[], None]
Plans: TypeAlias = Iterable[tuple[PastStep, Plan | CannotPlan]]


def unhurried() -> None:
    """Do nothing: this check never stops a replay."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a replay: how many of the newest turns it covers, and the `longest` number of
    messages that it reads. `check` is called before each request; an exception from it ends the
    replay.
    """

    turns: int
    longest: int
    check: Check = unhurried


@dataclass(frozen=True, slots=True)
class ReplayedAs:
    """A variant with its replay, which is None if the conversation is too long; `refused` says so.

    `conflicts` are settings that contradict each other.
    """

    variant: Variant
    model: str
    replay: Replay | None
    refused: str = ""
    conflicts: tuple[str, ...] = ()

    @property
    def shortfall(self) -> str:
        """A sentence on why the replay's totals don't cover all requests; empty if they do."""
        refusals = self.replay.refusals if self.replay else ()
        if not (self.replay and refusals):
            return ""
        count, first = len(self.replay.steps), refusals[0]
        return ngettext(
            "{refused} of {count} request would be refused as too large. The totals cover the "
            "rest, and the cost is unknown. The first is in turn {turn}: {reason}",
            "{refused} of {count} requests would be refused as too large. The totals cover the "
            "rest, and the cost is unknown. The first is in turn {turn}: {reason}",
            count,
        ).format(
            refused=number(len(refusals)),
            count=number(count),
            turn=number(first.step.turn),
            reason=word_supposed(first.refused) if first.refused else "",
        )


def replayed(
    conversation: Conversation, variants: Sequence[Variant], turns: int = TURNS
) -> tuple[ReplayedAs, ...]:
    """Replay the newest turns of the open branch with its present settings, then with each variant.

    Marks are those of today. Each summary counts from the turn after which it existed. Raise as
    `tried` does.
    """
    turn = present(conversation).turn
    inputs = [(AS_IT_IS, turn), *((v, varied(turn, v)) for v in variants)]
    return tuple(replayed_as(variant, now, Bounds(turns, LONGEST)) for variant, now in inputs)


def replayed_as(variant: Variant, turn: PlanInput, bounds: Bounds, billed: str = "") -> ReplayedAs:
    """Replay the newest turns with the settings of `turn`. `billed` names another model, whose
    prices and cache rules are used.
    """
    model, first_turn = turn.agent.model, max(1, turn.number - bounds.turns + 1)
    messages = Message.objects.filter(on_path(turn.branch), turn__gte=first_turn)
    size = messages.count() + PAGE
    conflicts = contradictions(turn.settings, Output.of_agent(turn.agent))
    while size <= bounds.longest:
        try:
            plans = _plans(turn, first_turn, size, bounds.check)
            return ReplayedAs(variant, model, _priced(plans, turn, billed or model), "", conflicts)
        except NeedsMore:
            size *= MORE
    refused = _("These settings need more messages than a replay reads (the newest {count}).")
    why = refused.format(count=number(bounds.longest))
    return ReplayedAs(variant, model, None, why, conflicts)


def _plans(turn: PlanInput, first_turn: int, size: int, check: Check) -> Plans:
    path, request = request_of(replace(turn, checkpoints=()))
    transcript = newest_part(path, size, preserve=turn.settings.value(PRESERVE))
    steps = _checked(past_steps(transcript, first_turn), check)
    summaries = PathSummaries(tuple(_periods(turn)), chain_hash(turn.processors))
    return replay(transcript, steps, request, summaries)


def _checked(steps: Iterable[PastStep], check: Check) -> Iterator[PastStep]:
    for step in steps:
        check()
        yield step


def _priced(plans: Plans, turn: PlanInput, model: str) -> Replay:
    models, tools = catalogue(), bool(turn.tools)
    return priced(
        plans, models.prices(model), breakpoints=models.wants_cache_breakpoints(model), tools=tools
    )


def _periods(turn: PlanInput) -> Iterator[SummaryPeriod]:
    """Yield each summary of the path, with the range of requests to which it applied. The times at
    which the user messages were written decide this.
    """
    branch = turn.branch
    if turn.settings.value("policy") == "none":
        return
    lasting = (CheckpointState.READY, CheckpointState.UNDONE, CheckpointState.FOLDED)
    summaries = Checkpoint.objects.filter(conversation_id=branch.conversation_id, state__in=lasting)
    points = [row for row in summaries.select_related("folded_into") if lies_on(row, branch)]
    messages = Message.objects.filter(on_path(branch), role=Role.USER).order_by("position")
    questions = list(messages.values_list("created", "position")) if points else []
    for row in points:
        began, ended = _times(row)
        until = None if ended is None else _place(questions, ended)
        yield SummaryPeriod(row.as_core(), _place(questions, began), until)


def _times(row: Checkpoint) -> tuple[datetime, datetime | None]:
    """Return the time from which a summary applied, and the time at which it ceased to."""
    if row.state == CheckpointState.UNDONE:
        return row.created, row.ended
    fold = row.folded_into
    return row.ended or row.created, (fold.ended or fold.created) if fold else None


def _place(questions: Sequence[tuple[datetime, int]], time: datetime) -> int:
    """Return the position of the first user message after a time; if there is none, a number
    greater than any position.
    """
    after = bisect_right(questions, time, key=lambda question: question[0])
    return questions[after][1] if after < len(questions) else sys.maxsize


def replay_records(
    replays: Sequence[ReplayedAs], *, with_money: bool = True
) -> list[dict[str, Any]]:
    """Return each replay, and how many messages' verdicts differ from those in the first."""
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
        return place | {"refused": word_supposed(step.refused) if step.refused else None}
    differences = changes(beside.plan, step.plan) if beside.plan and beside is not step else ()
    counts = step.plan.counts
    return {
        **place,
        "sent": step.plan.window.sent,
        "messages_sent": counts.sent,
        "messages": counts.transcript,
        "changed": sum(change.count for change in differences),
        **prediction_record(step.prediction, with_money=with_money),
    }
