"""A delegation, read in the place where it was asked for."""

from dataclasses import dataclass, replace
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from chatapp.pages.bubbles import Answer, Bubble, bubbles
from chatapp.views import chatting
from history.models import Conversation
from history.services.access import Actor, access_conversation
from history.services.delegating import delegated_by
from history.services.reading import newest_messages

MESSAGES = 80  # Its own page has the rest.


@dataclass(frozen=True, slots=True)
class Delegation:
    """The newest of what was said there. `has_more`: it is longer than that."""

    conversation: Conversation
    bubbles: list[Bubble]
    has_more: bool


@require_GET
@chatting
def delegation(
    request: HttpRequest, actor: Actor, conversation: UUID, generation: UUID
) -> HttpResponse:
    """What the agent did that the call `call` asked. It may be at work still."""
    own = access_conversation(actor, conversation)
    asking = own.generations.filter(pk=generation).first()
    found = delegated_by(asking, request.GET.get("call", "")) if asking else None
    shown = _read(found) if found else None
    return render(request, "chat/delegation.html", {"delegation": shown})


def _read(conversation: Conversation) -> Delegation:
    messages = newest_messages(conversation.branch, None, MESSAGES) if conversation.branch else []
    quoted = [
        replace(bubble, is_quoted=True) if isinstance(bubble, Answer) else bubble
        for bubble in bubbles(messages)
    ]
    return Delegation(conversation, quoted, bool(messages and messages[0].position))
