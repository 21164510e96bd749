"""Finding the stored record of a request."""

from uuid import UUID

from django.db.models import QuerySet

from history.models import ContextPlan, Conversation
from history.services.errors import NotFound


def plans_of(conversation: Conversation) -> QuerySet[ContextPlan]:
    """Every plan of a conversation, the newest first."""
    rows = ContextPlan.objects.filter(generation__conversation=conversation)
    return rows.select_related("generation", "outcome").order_by("-generation__created", "-step")


def find_plan(
    conversation: Conversation,
    turn: int | None = None,
    generation: UUID | None = None,
    step: int | None = None,
) -> ContextPlan:
    """The newest plan that fits: of a turn, a generation, a step, or of the conversation."""
    asked = {"generation__turn": turn, "generation": generation, "step": step}
    given = {name: value for name, value in asked.items() if value is not None}
    if plan := plans_of(conversation).filter(**given).first():
        return plan
    raise NotFound("plan")
