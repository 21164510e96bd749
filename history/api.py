"""The transcript, its plans and its settings over HTTP, with the same access checks as the
pages.
"""

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from ninja import Path, Query, Router, Status
from pydantic import Field

from agents.effective import contradictions_of
from history.core.settings.caps import lowered_for
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.models import ContextPlan, Conversation, Viewing
from history.records import (
    checkpoint_record,
    conversation_record,
    message_record,
    plan_record,
    setting_record,
)
from history.schemas import (
    ChangedOut,
    CheckpointOut,
    ConversationIn,
    ConversationOut,
    ConversationsOut,
    Identity,
    MarkIn,
    MarkOut,
    MessagesOut,
    PlanOut,
    SettingOut,
    StatisticsOut,
)
from history.services.access import (
    Actor,
    access_conversation,
    actor_of,
    listed_conversations,
    may_see_cost,
)
from history.services.answers.chats.shelving import shelve, shelved
from history.services.answers.conversation import rename_conversation
from history.services.errors import NotFound
from history.services.explain.lookup import plans_of
from history.services.explain.raw.wire import Reader, ShownWire, shown_summary_wires
from history.services.path.marks import mark, marks_on
from history.services.path.reading import active_generation, newest_messages
from history.services.path.statistics import statistics_of
from history.services.settings.answerer import answering
from history.services.settings.choosing import choose_model
from history.services.settings.layers import resolve_settings, save_settings
from history.services.summaries.actions import applying, checkpoint_of, checkpoints_of

router = Router(tags=["conversations"])
Limit = Query(50, ge=1, le=200)
SmallInteger = Annotated[int, Field(ge=0, lt=2**31)]


@router.get("/conversations", response=ConversationsOut)
def list_conversations(
    request: HttpRequest,
    before: UUID | None = None,
    limit: int = Limit,
    *,
    pinned: bool | None = None,
    archived: bool | None = None,
) -> dict[str, Any]:
    """List your conversations, the most recent first. `pinned` and `archived` keep only those that
    are (true) or are not (false).
    """
    rows = listed_conversations(actor_of(request)).select_related("agent", "network")
    rows = shelved(rows, pinned=pinned, archived=archived)
    if before:
        last = access_conversation(actor_of(request), before)
        rows = rows.filter(Q(active__lt=last.active) | Q(active=last.active, id__lt=last.id))
    page = list(rows[: limit + 1])
    following = page[limit - 1].id if len(page) > limit else None
    return {"conversations": [conversation_record(c) for c in page[:limit]], "next": following}


@router.get("/conversations/{conversation_id}", response=ConversationOut)
def get_conversation(request: HttpRequest, conversation_id: UUID) -> dict[str, Any]:
    conversation = access_conversation(actor_of(request), conversation_id)
    generation = active_generation(conversation)
    return {
        **conversation_record(conversation),
        "active_generation": generation.pk if generation else None,
    }


@router.patch("/conversations/{conversation_id}", response=ChangedOut)
def change_conversation(
    request: HttpRequest, conversation_id: UUID, change: ConversationIn
) -> dict[str, Any]:
    """Rename a conversation, pin or archive it, choose another model of its agent's list (empty:
    the agent's own), or change its history settings. A bad setting is refused by name. `warnings`
    says which settings would contradict each other for a message from an address with this
    request's query. `lowered` lists those for which the server allows less.
    """
    actor = actor_of(request)
    with transaction.atomic():  # Either all changes are stored, or none.
        conversation = access_conversation(actor, conversation_id)
        if change.title is not None:
            conversation = rename_conversation(actor, conversation_id, change.title)
        if change.pinned is not None or change.archived is not None:
            states = {"pinned": change.pinned, "archived": change.archived}
            (conversation,) = shelve(actor, [conversation_id], **states)
        if change.model is not None:
            conversation = choose_model(actor, conversation_id, change.model)
        if change.history_settings is not None:
            conversation = save_settings(actor, conversation_id, change.history_settings)
    resolved = _resolved(request, actor, conversation)
    warnings = contradictions_of(LayerName.CONVERSATION, resolved)
    lowered = list(lowered_for(resolved, LayerName.CONVERSATION))
    return {**conversation_record(conversation), "warnings": warnings, "lowered": lowered}


@router.get("/conversations/{conversation_id}/messages", response=MessagesOut)
def list_messages(
    request: HttpRequest,
    conversation_id: UUID,
    before: SmallInteger | None = None,
    limit: int = Limit,
) -> dict[str, Any]:
    """List the path of the open branch in pages of whole turns, the newest page first."""
    conversation = access_conversation(actor_of(request), conversation_id)
    if conversation.branch is None:
        raise NotFound
    messages = newest_messages(conversation.branch, before, limit)
    older = messages[0].position if messages and messages[0].position else None
    marks = marks_on(conversation.branch)
    records = [{**message_record(message), "mark": marks.of(message)} for message in messages]
    return {"messages": records, "next": older}


@router.put("/conversations/{conversation_id}/messages/{message_id}/mark", response=MarkOut)
def put_mark(
    request: HttpRequest, conversation_id: UUID, message_id: Path[Identity], body: MarkIn
) -> dict[str, Any]:
    """Pin or exclude a message, with its segment. It takes effect with the next plan."""
    head = mark(actor_of(request), conversation_id, message_id, body.kind)
    return {"message": head.pk, "position": head.position, "kind": body.kind}


@router.delete("/conversations/{conversation_id}/messages/{message_id}/mark", response={204: None})
def delete_mark(
    request: HttpRequest, conversation_id: UUID, message_id: Path[Identity]
) -> Status[None]:
    """Clear a pin or an exclusion, if there is one."""
    mark(actor_of(request), conversation_id, message_id, None)
    return Status(204, None)


@router.get("/conversations/{conversation_id}/settings", response=list[SettingOut])
def get_settings(request: HttpRequest, conversation_id: UUID) -> list[dict[str, Any]]:
    """List the settings, with their sources, for the next message if it is sent from an address
    with this request's query.
    """
    actor = actor_of(request)
    conversation = access_conversation(actor, conversation_id)
    resolved = _resolved(request, actor, conversation)
    return [setting_record(name, resolved, settings.HISTORY_CAPS) for name in resolved]


@router.get("/conversations/{conversation_id}/checkpoints", response=list[CheckpointOut])
def list_checkpoints(request: HttpRequest, conversation_id: UUID) -> list[dict[str, Any]]:
    """List every summary that was ever begun, the newest first, with what became of it."""
    conversation = access_conversation(actor_of(request), conversation_id)
    ids = {point.id for point in applying(conversation)}
    return [checkpoint_record(row, ids) for row in checkpoints_of(conversation)]


@router.get("/conversations/{conversation_id}/checkpoints/{checkpoint}", response=CheckpointOut)
def get_checkpoint(
    request: HttpRequest, conversation_id: UUID, checkpoint: Path[Identity]
) -> dict[str, Any]:
    """Return a summary with the requests made for it."""
    actor = actor_of(request)
    conversation = access_conversation(actor, conversation_id, reading=Viewing.Page.CONTEXT)
    row = checkpoint_of(conversation, checkpoint)
    ids = {point.id for point in applying(conversation)}
    wires = shown_summary_wires(row, Reader(addresses=actor.is_staff))
    return checkpoint_record(row, ids, wires)


@router.get("/conversations/{conversation_id}/statistics", response=StatisticsOut)
def get_statistics(request: HttpRequest, conversation_id: UUID) -> dict[str, Any]:
    """Count messages, requests, summaries and the tokens paid for."""
    conversation = access_conversation(actor_of(request), conversation_id)
    return statistics_of(conversation)


@router.get("/conversations/{conversation_id}/plans", response=list[PlanOut])
def list_plans(
    request: HttpRequest, conversation_id: UUID, limit: int = Limit
) -> list[dict[str, Any]]:
    """List the stored plans, the newest first."""
    actor = actor_of(request)
    conversation = access_conversation(actor, conversation_id, reading=Viewing.Page.CONTEXT)
    return [seen_plan(actor, conversation, plan) for plan in plans_of(conversation)[:limit]]


def seen_plan(
    actor: Actor,
    conversation: Conversation,
    plan: ContextPlan,
    wires: Sequence[ShownWire] | None = None,
) -> dict[str, Any]:
    """Return the record, without the cost if the actor may not see it."""
    record = plan_record(plan, wires)
    if record["outcome"] and not may_see_cost(actor, conversation):
        del record["outcome"]["cost"]
    return record


def _resolved(request: HttpRequest, actor: Actor, conversation: Conversation) -> Settings:
    query = request.META.get("QUERY_STRING", "")
    return resolve_settings(answering(conversation), actor, query, conversation)
