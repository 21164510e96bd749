"""Show what a delegated agent does, at the place of the call that delegated the task."""

from dataclasses import replace
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chatapp.pages.guard import chatting
from chatapp.pages.stretches import MESSAGES, TranscriptPage, UnloadedStretch, silent_in
from chatapp.transcript.bubbles import Answer, Bubble, bubbles
from history.models import Conversation
from history.services.access import Actor, access_generation
from history.services.answers.delegating import delegated_by
from history.services.path.reading import newest_messages

NOTHING = "nothing"  # The value of `seen` that a page sends until it shows a message.


@require_safe
@chatting
def delegation(
    request: HttpRequest, actor: Actor, conversation: UUID, generation: UUID
) -> HttpResponse:
    """Show what another agent did for the delegating call `call`.

    While that agent works, the page asks again; the answer is 204 if there is nothing after the
    position `seen`.
    """
    asking = access_generation(actor, conversation, generation)
    call = request.GET.get("call", "")
    task = delegated_by(asking, call)
    page = _read(task) if task else None
    head = str(page.head) if page else NOTHING
    goes_on = page.active is not None if page else asking.is_active
    if goes_on and request.GET.get("seen") == head:
        return HttpResponse(status=204)
    again = f"{request.path}?{urlencode({'call': call, 'seen': head})}" if goes_on else ""
    return render(request, "chat/delegation.html", {"delegation": page, "again": again})


def _read(conversation: Conversation) -> TranscriptPage:
    """Read the newest messages of the delegated conversation; its own page has all of them."""
    branch = conversation.branch
    messages = newest_messages(branch, None, MESSAGES) if branch else []
    silent = silent_in(branch, messages) if branch else []
    return TranscriptPage(
        conversation,
        [_quoted(bubble) for bubble in bubbles(messages, silent)],
        above=UnloadedStretch(0, messages[0].position)
        if messages and messages[0].position
        else None,
        head=messages[-1].position if messages else -1,
    )


def _quoted(bubble: Bubble) -> Bubble:
    return replace(bubble, is_quoted=True) if isinstance(bubble, Answer) else bubble
