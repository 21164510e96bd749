"""Finding the stored record of a request."""

from django.db.models import QuerySet

from history.models import ContextPlan, Conversation


def plans_of(conversation: Conversation) -> QuerySet[ContextPlan]:
    """Every plan of a conversation, the newest first."""
    rows = ContextPlan.objects.filter(generation__conversation=conversation)
    return rows.select_related("generation", "outcome").order_by("-generation__created", "-step")
