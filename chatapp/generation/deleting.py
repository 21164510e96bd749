"""Delete conversations, even while an answer is written or somebody looks on."""

import asyncio
from collections.abc import Collection, Iterable
from uuid import UUID

from asgiref.sync import async_to_sync

from chatapp.databases.threads import give_back, in_database
from chatapp.generation import summaries, supervisor
from chatapp.generation.asking import forget_responses
from chatapp.live.bus import bus
from chatapp.live.viewers import viewers
from history.models import Generation, GenerationStatus
from history.services.access import Actor, access_conversation, access_several
from history.services.answers.deleting import (
    delete_conversations,
    expired_deletions,
    hide_deleted,
    with_delegated,
)

AT_ONCE = 20  # Conversations deleted in one transaction: others must be able to write in between.


async def delete(actor: Actor, conversation_id: UUID) -> None:
    """Delete a conversation for good; its running answer ends first."""
    await in_database(access_conversation, actor, conversation_id)
    await stop_answers([conversation_id])
    await in_database(delete_conversations, [conversation_id])


async def delete_undoably(actor: Actor, ids: Collection[UUID]) -> None:
    """Hide conversations from everybody as if they were deleted; running answers end first."""
    await in_database(access_several, actor, ids)
    await stop_answers(ids)
    for hidden in await in_database(hide_deleted, actor, ids):
        gone(hidden)
    viewers.show_list(actor.person)


def delete_undoably_now(actor: Actor, ids: Collection[UUID]) -> None:
    give_back()
    async_to_sync(delete_undoably)(actor, ids)


async def delete_expired() -> None:
    """Delete for good the conversations that nobody can restore any more."""
    ids = await in_database(expired_deletions)
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        await stop_answers(some)
        await in_database(delete_conversations, some)


async def stop_answers(ids: Iterable[UUID]) -> None:
    """Stop the answers of these conversations, and of the tasks that they delegated."""
    ids = set(await in_database(with_delegated, ids))
    generations = [run.generation for run in supervisor.all_here() if run.conversation_id in ids]
    if bus.is_used:
        own_ids = [generation.pk for generation in generations]
        generations += await in_database(_running_elsewhere, ids, own_ids)
    await asyncio.gather(*map(supervisor.stop, generations))
    await forget_responses(plan__generation__conversation__in=ids)


def _running_elsewhere(ids: Collection[UUID], here: Collection[UUID]) -> list[Generation]:
    rows = Generation.objects.filter(conversation__in=ids, status=GenerationStatus.RUNNING)
    return list(rows.exclude(pk__in=here).select_related("conversation__agent", "branch"))


def stop_answers_now(ids: Iterable[UUID]) -> None:
    give_back()
    async_to_sync(stop_answers)(ids)


def gone(conversation_id: UUID) -> None:
    """Cancel a deleted conversation's summary, and tell viewers. Call this in the event loop.

    An answer that is still being written there finds its rows gone, and ends.
    """
    summaries.cancel(conversation_id)
    viewers.show(conversation_id, {"type": "gone", "conversation": str(conversation_id)})
