"""What a chat's newest turn would send if its agent were saved as it is being edited now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from uuid import UUID

from django.db.models import Q, QuerySet

from agents.effective import remembered_because
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
    dollars, before any cache; None if unknown or not for the reader. `memory` says how much of this
    chat the model sees, and who decided that if the template didn't. `overruled` are the settings
    in force that the template's form can't change.
    """

    plan: Plan | None
    money: Decimal | None
    refused: str
    memory: str
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
    memory = remembered_because(template, preview.settings)
    overruled = _overruled(preview, template)
    return PreviewedTurn(preview.plan, money, preview.refused, memory, overruled)


def _overruled(preview: TriedVariant, template: AgentTemplate) -> list[SettingRow]:
    """Return the settings in force that the chat sets, and those that the template sets in vain."""
    own = template.history_settings
    return [row for row in setting_rows(preview.settings) if _is_overruled(row, own)]


def _is_overruled(row: SettingRow, own: Mapping[str, object]) -> bool:
    is_in_vain = row.name in own and row.layer is not LayerName.TEMPLATE
    return not row.is_idle and (is_in_vain or row.layer is LayerName.CONVERSATION)


def chats_for(actor: Actor, template: AgentTemplate | None, query: str) -> QuerySet[Conversation]:
    """List the newest chats that the actor may read: those that a query finds, or the agent's; all,
    if it has none.
    """
    chats = readable_conversations(actor).filter(asked_by=None, branch__isnull=False)
    if query:
        chats = chats.filter(Q(title__icontains=query) | Q(owner__username__icontains=query))
    elif template and template.pk and (own := chats.filter(agent=template)).exists():
        chats = own
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
