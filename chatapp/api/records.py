"""The API call that returns the record of a request, with the bodies that were sent."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Path, Router

from chatapp.inspector.raw.wire import wires_for
from history.api import SmallInteger, seen_plan
from history.models import Viewing
from history.schemas import PlanOut
from history.services.access import access_conversation, actor_of
from history.services.explain.lookup import shown_plan
from history.services.explain.raw.wire import Reader


def get_plan(
    request: HttpRequest,
    conversation_id: UUID,
    turn: Path[SmallInteger],
    generation: UUID | None = None,
    step: SmallInteger | None = None,
) -> dict[str, Any]:
    """Return the plan of a turn on the open branch: the last step of its newest generation,
    unless you name another step, or a generation of any branch.
    """
    actor = actor_of(request)
    conversation = access_conversation(actor, conversation_id, reading=Viewing.Page.CONTEXT)
    plan = shown_plan(conversation, turn, generation, step)
    return seen_plan(actor, conversation, plan, wires_for(plan, Reader.of(actor, plan)))


def add_to(router: Router) -> None:
    """Add this call to a router that already has other calls about conversations."""
    address = "/conversations/{conversation_id}/turns/{turn}/context"
    router.get(address, response=PlanOut)(get_plan)
