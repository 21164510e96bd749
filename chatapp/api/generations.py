"""API calls on a single generation: its state, Stop, and decisions on calls that need approval."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from chatapp.databases.threads import in_database
from chatapp.generation import supervisor
from history.core.transcript.messages import ToolCall
from history.models import Generation
from history.schemas import Incoming
from history.services.access import Actor, access_generation
from history.services.answers.approval_log import Approval
from history.services.answers.approvals import MOST_CHARACTERS, Decision, calls_for_approval

router = Router(tags=["conversations"])


class DecisionIn(Incoming):
    """A person's decision on a call. If it is a refusal, the model gets `words` with it."""

    call: Annotated[str, Field(max_length=200)]
    approved: bool
    words: Annotated[str, Field(max_length=MOST_CHARACTERS)] = ""


class AskedOut(Schema):
    """A call for which a person's approval was asked; it still waits if `decision` is None."""

    id: str
    name: str
    arguments: str
    asked: datetime
    decision: Literal["approved", "refused", "withdrawn"] | None
    person: str
    words: str
    decided: datetime | None


class GenerationOut(Schema):
    """A generation. `asked` are all calls for which approval was ever asked, in order."""

    id: UUID
    conversation: UUID
    turn: int
    kind: str
    status: str
    asked: list[AskedOut]
    error: dict[str, Any] | None


@router.get("/conversations/{conversation_id}/generations/{generation_id}", response=GenerationOut)
def get_generation(
    request: HttpRequest, conversation_id: UUID, generation_id: UUID
) -> dict[str, Any]:
    return _record(access_generation(caller(request), conversation_id, generation_id))


@router.post(
    "/conversations/{conversation_id}/generations/{generation_id}/stop", response=GenerationOut
)
async def stop_generation(
    request: HttpRequest, conversation_id: UUID, generation_id: UUID
) -> dict[str, Any]:
    """End an answer with the text that it has by now. Stopping it twice does no harm."""
    where = (caller(request), conversation_id, generation_id)
    await supervisor.stop(await in_database(access_generation, *where))
    return await in_database(_record, await in_database(access_generation, *where))


@router.post(
    "/conversations/{conversation_id}/generations/{generation_id}/decisions",
    response=GenerationOut,
)
async def decide(
    request: HttpRequest, conversation_id: UUID, generation_id: UUID, decision: DecisionIn
) -> dict[str, Any]:
    """Approve or refuse a call; after the last decision the answer goes on.

    Repeating a decision changes nothing; a different one gets 409.
    """
    where = (caller(request), conversation_id, generation_id)
    answer = Decision(decision.call, approved=decision.approved, words=decision.words)
    await supervisor.decide(*where, answer)
    return await in_database(_record, await in_database(access_generation, *where))


def caller(request: HttpRequest) -> Actor:
    """Return the person who makes this API call, without reading the session again."""
    actor: Actor = request.auth  # type: ignore[attr-defined]  # OwnSession sets it.
    return actor


def _record(generation: Generation) -> dict[str, Any]:
    return {
        "id": generation.pk,
        "conversation": generation.conversation_id,
        "turn": generation.turn,
        "kind": generation.kind,
        "status": generation.status,
        "asked": [_asked(call, approval) for call, approval in calls_for_approval(generation)],
        "error": generation.error,
    }


def _asked(call: ToolCall, approval: Approval) -> dict[str, Any]:
    decision = approval.decision
    return {
        **asdict(call),
        "asked": approval.asked,
        "decision": decision.kind if decision else None,
        "person": decision.person if decision else "",
        "words": decision.words if decision else "",
        "decided": decision.created if decision else None,
    }
