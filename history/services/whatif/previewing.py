"""What a chat's newest turn would send if its agent were saved as it is being edited now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from uuid import UUID

from django.db.models import Q, QuerySet

from agents.models import AgentTemplate
from history.core.plan.plan import Plan
from history.core.settings.spec import LayerName
from history.models import Conversation, Viewing
from history.services.access import (
    Actor,
    access_conversation,
    may_see_cost,
    readable_conversations,
    visible_conversations,
)
from history.services.whatif.trying import TriedVariant, present, try_variants
from history.wording.settings import SettingRow, setting_rows

MOST = 30  # The most chats to choose from.


@dataclass(frozen=True, slots=True)
class PreviewedTurn:
    """A preview. `plan` is None if the request is refused, and `refused` says why. `money` is in
    dollars, before any cache; None if unknown or not for the reader. `overruled` are the template's
    settings that this chat doesn't use.
    """

    plan: Plan | None
    money: Decimal | None
    refused: str
    overruled: Sequence[SettingRow]


def previewed(actor: Actor, chat: UUID, template: AgentTemplate) -> PreviewedTurn:
    """Plan the newest turn as if it were sent from an address without a query, because a query's
    settings are not the chat's own. Nothing is sent; nothing is recorded but a look at another
    person's chat. Raise NotFound.
    """
    conversation = access_conversation(actor, chat, reading=Viewing.Page.ADMIN)
    request = replace(present(conversation, template, query=""), before=None)
    (preview,) = try_variants(request, [])
    expected = preview.prediction
    money = expected.money if expected and may_see_cost(actor, conversation) else None
    return PreviewedTurn(preview.plan, money, preview.refused, _overruled(preview, template))


def _overruled(preview: TriedVariant, template: AgentTemplate) -> list[SettingRow]:
    """Return the settings that the template sets, but whose values come from another source."""
    return [
        row
        for row in setting_rows(preview.settings)
        if row.name in template.history_settings and row.layer is not LayerName.TEMPLATE
    ]


def chats_for(actor: Actor, template: AgentTemplate | None, query: str) -> QuerySet[Conversation]:
    """List the newest chats that the actor may read: the agent's, or those that a query finds."""
    chats = readable_conversations(actor).filter(asked_by=None, branch__isnull=False)
    if query:
        chats = chats.filter(Q(title__icontains=query) | Q(owner__username__icontains=query))
    elif template and template.pk:
        chats = chats.filter(agent=template)
    return chats.select_related("owner").order_by("-active", "-id")[:MOST]


def usual_chat(
    actor: Actor, template: AgentTemplate | None, chat: UUID | None = None
) -> Conversation | None:
    """Return the chat that was asked for; or else the actor's newest chat, if possible with this
    agent. Another person's chat is shown only on request.
    """
    if chat and (conversation := readable_conversations(actor).filter(pk=chat).first()):
        return conversation
    own = visible_conversations(actor).filter(asked_by=None, branch__isnull=False)
    with_it = own.filter(agent=template) if template and template.pk else own
    return with_it.first() or own.first()
