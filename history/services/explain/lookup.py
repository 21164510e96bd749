"""Find a stored plan: that of a turn on the open branch, of a generation, or of a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count, takewhile
from uuid import UUID

from django.db.models import QuerySet

from history.models import Branch, ContextPlan, Conversation
from history.services.errors import NotFound
from history.services.path.appending import head_of
from history.services.wire.delivery import has_left

ATTEMPTS = 100  # The most plans of a turn that are listed.
CHUNK = 20  # How many plans are read at once in the search for one on the path.


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A request for a turn: the generation that made it, and the step."""

    generation: UUID
    step: int


def plans_of(conversation: Conversation) -> QuerySet[ContextPlan]:
    """Return all plans of a conversation, the newest first."""
    rows = ContextPlan.objects.filter(generation__conversation=conversation)
    rows = rows.select_related("generation", "outcome", "background")
    return rows.order_by("-generation__created", "-step")


def shown_plan(
    conversation: Conversation,
    turn: int | None = None,
    generation: UUID | None = None,
    step: int | None = None,
) -> ContextPlan:
    """Return the newest plan that matches. Raise NotFound if there is none.

    Unless a generation is named, the plan must be on the open branch, because the transcript shown
    beside it has no messages of other branches.
    """
    lookups = {"generation__turn": turn, "generation": generation, "step": step}
    lookups = {name: value for name, value in lookups.items() if value is not None}
    rows = plans_of(conversation).filter(**lookups).select_related("branch")
    if generation is not None:
        plan = rows.first()
    elif lookups:
        plan = _first_on_path(rows, conversation)
    else:
        # The newest turn has no plan while it waits, but the turn before it nearly always has one.
        recent = rows.filter(generation__turn__gte=last_turn(conversation) - 1)
        recent = recent.order_by("-generation__turn", "-generation__created", "-step")
        plan = _first_on_path(recent, conversation) or _first_on_path(rows, conversation)
    if plan is None:
        raise NotFound("plan")
    plan.generation.conversation = conversation
    return plan


def last_sent(record: ContextPlan) -> ContextPlan:
    """Return the request or, if it never left, the newest of its answer before it that did; the
    request itself if none of them did.
    """
    if has_left(record):
        return record
    rows = ContextPlan.objects.filter(generation=record.generation_id, step__lt=record.step)
    steps = rows.select_related("branch", "outcome", "background").order_by("-step")
    newest = next((each for each in steps if has_left(each)), record)
    newest.generation = record.generation
    return newest


def last_turn(conversation: Conversation) -> int:
    """Return the number of the open branch's last turn; 0 before the first user message."""
    head = head_of(conversation.branch) if conversation.branch else None
    return head.turn if head else 0


def newest_query(conversation: Conversation) -> str:
    """Return the query of the address from which the newest message was sent."""
    newest = conversation.generations.order_by("created").last()
    return str(newest.snapshot["query"]) if newest else ""


def recorded_turns(conversation: Conversation, turns: Sequence[int]) -> frozenset[int]:
    """Return those of the turns for which a plan on the open branch is stored."""
    branch = conversation.branch
    plans = ContextPlan.objects.filter(
        generation__conversation=conversation, generation__turn__in=turns
    )
    rows = plans.values_list("generation__turn", "branch", "head")
    return frozenset(t for t, owner, head in rows if branch and answers_on(branch, owner, head))


def attempts(record: ContextPlan) -> list[TurnRequest]:
    """List all requests for the record's turn on the record's branch, the oldest first."""
    generation = record.generation
    plans = ContextPlan.objects.filter(
        generation__conversation=generation.conversation_id, generation__turn=generation.turn
    )
    rows = plans.order_by("generation__created", "step")
    return [
        TurnRequest(pk, step)
        for pk, step, owner, head in rows.values_list("generation", "step", "branch", "head")
        if pk == generation.pk or answers_on(record.branch, owner, head)
    ][:ATTEMPTS]


def _first_on_path(rows: QuerySet[ContextPlan], conversation: Conversation) -> ContextPlan | None:
    """Return the first plan that is on the path. In SQL this would read all plans of the branch.

    The search goes page by page, because outside a transaction PostgreSQL collects all rows of a
    cursor first.
    """
    branch = conversation.branch
    pages = (list(rows[start : start + CHUNK]) for start in count(0, CHUNK))
    plans = chain.from_iterable(takewhile(bool, pages)) if branch else iter(())
    return next((p for p in plans if branch and answers_on(branch, p.branch_id, p.head)), None)


def answers_on(branch: Branch, owner: int, head: int) -> bool:
    """Return whether the answer to a plan is on the path, directly after the plan's head."""
    return any(b == owner and first <= head + 1 <= last for b, first, last in branch.spans())
