"""Delete conversations, even while an answer is written or somebody looks on."""

import asyncio
from collections.abc import Iterable
from uuid import UUID

from asgiref.sync import async_to_sync

from chatapp.databases.threads import give_back, in_database
from chatapp.generation import summaries, supervisor
from chatapp.live.viewers import viewers
from history.services.access import Actor, access_conversation
from history.services.answers.conversation import delete_conversations, with_delegated


async def delete(actor: Actor, conversation_id: UUID) -> None:
    """Delete it for good; a running answer ends first."""
    await in_database(access_conversation, actor, conversation_id)
    await stop_answers([conversation_id])
    await in_database(delete_conversations, [conversation_id])


def delete_now(actor: Actor, conversation_id: UUID) -> None:
    give_back()
    async_to_sync(delete)(actor, conversation_id)


async def stop_answers(ids: Iterable[UUID]) -> None:
    """Stop answers, also those that these conversations delegated to other agents."""
    found = set(await in_database(with_delegated, ids))
    generations = [run.generation for run in supervisor.all_here() if run.conversation_id in found]
    await asyncio.gather(*map(supervisor.stop, generations))


def stop_answers_now(ids: Iterable[UUID]) -> None:
    give_back()
    async_to_sync(stop_answers)(ids)


def gone(conversation_id: UUID, owner: str) -> None:
    """Tell viewers, in the loop, after a deletion. Writers find nothing, and end."""
    summaries.cancel(conversation_id)
    viewers.show(conversation_id, {"type": "gone", "conversation": str(conversation_id)})
    viewers.show_person(owner, {"type": "list"})
