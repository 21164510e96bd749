"""Views on messages and summaries: verdicts, pins and exclusions, and the newest summary."""

from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chatapp.pages.guard import chatting
from chatapp.pages.telling import show_summaries_again
from chatapp.pages.verdicts import verdicts_of
from chatapp.transcript.summary_line import upcoming_summary
from history.core.words.wording import number
from history.services.access import Actor, access_conversation
from history.services.errors import Conflict, NotFound
from history.services.path.marks import mark_all
from history.services.summaries.actions import undo

END = 2**31
MessageId = Annotated[int, Field(ge=1, lt=2**63)]
Kind = Literal["pin", "exclusion", ""]
SAID = {
    "pin": _("Pinned. It will always be sent, starting with your next message."),
    "exclusion": _(
        "Excluded. It will be left out, starting with your next message. Nothing is deleted."
    ),
    "": _("Back to what the settings decide, starting with your next message."),
}
RESTORED = _("Pins and exclusions are as they were before.")


class MarksIn(BaseModel):
    """The marks to set, by message; an empty value clears a message's mark."""

    model_config = ConfigDict(extra="forbid")

    marks: Annotated[dict[MessageId, Kind], Field(min_length=1, max_length=200)]


@require_safe
@chatting
def verdict(
    request: HttpRequest, actor: Actor, conversation: UUID, first: int, last: int
) -> HttpResponse:
    """Show the verdict on one message, or on all messages of one answer."""
    chat = access_conversation(actor, conversation)
    if not first <= last < END:
        raise NotFound("message")
    context = {"verdicts": verdicts_of(chat, first, last), "conversation": chat.pk}
    return render(request, "chat/verdict.html", context)


@require_safe
@chatting
def next_summary(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the summary that the next request will be the first to contain, if there is one."""
    summary = upcoming_summary(access_conversation(actor, conversation))
    if summary is None:
        return HttpResponse()
    numbers = {"first": number(summary.first + 1), "last": number(summary.last + 1)}
    return render(request, "chat/summary_line.html", {"summary": summary, **numbers})


@require_POST
@chatting
def undo_summary(
    request: HttpRequest, actor: Actor, conversation: UUID, checkpoint: int
) -> HttpResponse:
    """Undo the newest summary from a page that has no socket; that page is then loaded again."""
    try:
        undo(actor, conversation, checkpoint)
    except Conflict as refusal:
        return HttpResponse(refusal.message, status=409, content_type="text/plain")
    show_summaries_again(conversation)
    return HttpResponse(status=204, headers={"HX-Refresh": "true"})


@require_POST
@chatting
def marks(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Mark all of the messages or none, and return a sentence with a way to undo it.

    A refusal has status 200, too, because browsers log any other status as an error.
    """
    try:
        kinds = MarksIn.model_validate_json(request.body).marks
    except ValidationError:
        sentence = gettext("Invalid pins or exclusions.")
        return HttpResponse(sentence, status=422, content_type="text/plain")
    try:
        before = mark_all(actor, conversation, {pk: kind or None for pk, kind in kinds.items()})
    except Conflict as refusal:
        return JsonResponse({"refused": refusal.message})
    undo = {pk: kind or "" for pk, kind in before.items()}
    return JsonResponse({"marks": kinds, "before": undo, "said": _said(kinds)})


def _said(marks: dict[int, Kind]) -> str:
    kinds = set(marks.values())
    return str(SAID[kinds.pop()] if len(kinds) == 1 else RESTORED)
