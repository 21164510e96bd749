"""Find a stored plan: that of a turn on the open branch, of a generation, or of a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count, takewhile
from uuid import UUID

from django.db.models import QuerySet

from history.models import Branch, ContextPlan, Conversation
from history.services.errors import NotFound
from history.services.path.appending import head_of

ATTEMPTS = 100  # Plans of one turn that are listed.
CHUNK = 20  # Plans fetched at once in the search for one on the path.


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One request for a turn: which generation made it, and at which step."""

    generation: UUID
    step: int


def plans_of(conversation: Conversation) -> QuerySet[ContextPlan]:
    """Every plan of a conversation, the newest first."""
    rows = ContextPlan.objects.filter(generation__conversation=conversation)
    return rows.select_related("generation", "outcome").order_by("-generation__created", "-step")


def shown_plan(
    conversation: Conversation,
    turn: int | None = None,
    generation: UUID | None = None,
    step: int | None = None,
) -> ContextPlan:
    """Return the newest matching plan. Raise NotFound.

    Unless a generation is named, the plan must be on the open branch: the transcript shown beside
    it has no messages of other branches.
    """
    asked = {"generation__turn": turn, "generation": generation, "step": step}
    given = {name: value for name, value in asked.items() if value is not None}
    rows = plans_of(conversation).filter(**given).select_related("branch")
    if generation is not None:
        plan = rows.first()
    elif given:
        plan = _first_on_path(rows, conversation)
    else:
        # A waiting newest turn has no plan; the one before nearly always has.
        # Turn first, as in the index: by time alone SQLite goes through all generations.
        recent = rows.filter(generation__turn__gte=last_turn(conversation) - 1)
        recent = recent.order_by("-generation__turn", "-generation__created", "-step")
        plan = _first_on_path(recent, conversation) or _first_on_path(rows, conversation)
    if plan is None:
        raise NotFound("plan")
    plan.generation.conversation = conversation
    return plan


def last_turn(conversation: Conversation) -> int:
    """Return the last turn of the open branch; 0 before the first user message."""
    head = head_of(conversation.branch) if conversation.branch else None
    return head.turn if head else 0


def newest_query(conversation: Conversation) -> str:
    """Return the query of the address from which the newest message was sent."""
    newest = conversation.generations.order_by("created").last()
    return str(newest.snapshot["query"]) if newest else ""


def recorded_turns(conversation: Conversation, turns: Sequence[int]) -> frozenset[int]:
    """Return those turns for which a plan on the open branch is stored."""
    branch = conversation.branch
    rows = ContextPlan.objects.filter(
        generation__conversation=conversation, generation__turn__in=turns
    )
    found = rows.values_list("generation__turn", "branch", "head")
    return frozenset(t for t, owner, head in found if branch and answers_on(branch, owner, head))


def attempts(record: ContextPlan) -> list[TurnRequest]:
    """List every request for the record's turn that is on its branch, the oldest first."""
    generation = record.generation
    rows = ContextPlan.objects.filter(
        generation__conversation=generation.conversation_id, generation__turn=generation.turn
    )
    found = rows.order_by("generation__created", "step")
    return [
        TurnRequest(pk, step)
        for pk, step, owner, head in found.values_list("generation", "step", "branch", "head")
        if pk == generation.pk or answers_on(record.branch, owner, head)
    ][:ATTEMPTS]


def _first_on_path(rows: QuerySet[ContextPlan], conversation: Conversation) -> ContextPlan | None:
    """Return the first plan on the path. In SQL this would go through all plans of the branch.

    The search is by pages: outside a transaction PostgreSQL collects all of a cursor's rows first.
    """
    branch = conversation.branch
    pages = (list(rows[start : start + CHUNK]) for start in count(0, CHUNK))
    found = chain.from_iterable(takewhile(bool, pages)) if branch else iter(())
    return next((p for p in found if branch and answers_on(branch, p.branch_id, p.head)), None)


def answers_on(branch: Branch, owner: int, head: int) -> bool:
    """Whether the answer to a plan is on the path, at the place after its head."""
    return any(b == owner and first <= head + 1 <= last for b, first, last in branch.spans())
