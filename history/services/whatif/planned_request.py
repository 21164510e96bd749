"""A request of a conversation, past or upcoming, with the one before it."""

from dataclasses import dataclass, replace

from agents.mcp.offer import offer_from
from agents.snapshot import snapshot
from history.core.plan.plan import Plan
from history.core.settings.resolved import Settings
from history.models import ContextPlan, Conversation, Generation
from history.services.access import Actor
from history.services.errors import NotFound
from history.services.explain.cost.previous import is_cold, request_before
from history.services.explain.lookup import last_turn, shown_plan
from history.services.explain.raw.request import turn_then
from history.services.path.marks import marks_on
from history.services.planning.context_texts import context_now
from history.services.planning.planning import PlanInput
from history.services.settings.answerer import answering
from history.services.settings.calibration import factor_of
from history.services.settings.layers import resolve_settings


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """`plan` is the recorded one, None for an upcoming request. `output` is the answer's tokens
    by the model's count; `cold`: the cache had expired before it.
    """

    turn: PlanInput
    step: int | None = None
    plan: Plan | None = None
    output: int = 0
    cold: bool = False
    before: "PlannedRequest | None" = None


def recorded(record: ContextPlan) -> PlannedRequest:
    """Load a record with the request before it, which decides what a cache still had."""
    before = request_before(record)
    return replace(_planned(record), before=_planned(before) if before else None)


def present(conversation: Conversation) -> PlannedRequest:
    """Take the open branch as it is, with the settings that a message sent now would have."""
    if conversation.branch is None:
        raise NotFound("plan")
    agent = snapshot(answering(conversation), network=conversation.network)
    number = last_turn(conversation)
    turn = PlanInput(
        branch=conversation.branch,
        number=number,
        agent=dict(agent),
        settings=_present_settings(conversation),
        prompt=agent["system_prompt"],
        marks=marks_on(conversation.branch),
        factor=factor_of(agent["model"]).value,
        processors=agent["processors"],
        offer=offer_from(agent["mcp"]),
        context=context_now(agent, conversation.branch, number),
    )
    return PlannedRequest(turn, before=_newest(conversation))


def _newest(conversation: Conversation) -> PlannedRequest | None:
    try:
        return _planned(shown_plan(conversation))
    except NotFound:
        return None


def _planned(record: ContextPlan) -> PlannedRequest:
    outcome = getattr(record, "outcome", None)
    usage = outcome.usage if outcome else None
    output = usage["completion"] if usage else 0
    cold = record.step == 1 and is_cold(record)
    return PlannedRequest(turn_then(record), record.step, record.core_plan, output, cold)


def _present_settings(conversation: Conversation) -> Settings:
    """Resolve the owner's settings, with the address that the newest message was sent from."""
    newest = Generation.objects.filter(conversation=conversation).order_by("created").last()
    query = newest.snapshot["query"] if newest else ""
    owner = Actor(conversation.owner, conversation.visitor)
    return resolve_settings(answering(conversation), owner, query, conversation)
