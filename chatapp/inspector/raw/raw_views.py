"""The raw zone's fragments, each fetched when it is opened, and the request for the clipboard."""

from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from chatapp.inspector.forms import MOST, read
from chatapp.inspector.raw.curl import curl
from chatapp.inspector.raw.differing import difference_page
from chatapp.inspector.raw.redaction import Redaction
from chatapp.inspector.raw.request import answer_of, event_page, rebuild, request_page, sent_row
from chatapp.pages.guard import chatting
from history.models import ContextPlan, Viewing
from history.services.access import Actor, access_conversation
from history.services.explain.lookup import shown_plan
from history.services.explain.raw.request import CannotRebuild


class RecordForm(forms.Form):
    """`after`: how many messages, or which event, precede the page; `number`: one message."""

    generation = forms.UUIDField()
    step = forms.IntegerField(min_value=1, max_value=MOST)
    after = forms.IntegerField(required=False, min_value=0, max_value=MOST)
    number = forms.IntegerField(required=False, min_value=1, max_value=MOST)


@require_safe
@chatting
def request_fragment(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show a page of the request's messages."""
    record, after, _ = _wanted(request, actor, conversation)
    try:
        page = request_page(record, Redaction(actor, record), after)
    except CannotRebuild as error:
        return _cannot(request, error)
    context = {"page": page, "record": record, "is_first": not after}
    return render(request, "panel/raw_request.html", context)


@require_safe
@chatting
def message_fragment(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show one message of the request, whole."""
    record, _, place = _wanted(request, actor, conversation)
    try:
        sent = rebuild(record).sent
    except CannotRebuild as error:
        return _cannot(request, error)
    if not 1 <= place <= len(sent):
        raise Http404("number: not a message of this request.")
    row = sent_row(place, sent[place - 1], Redaction(actor, record), most=None)
    return render(request, "panel/raw_text.html", {"text": row.text})


@require_safe
@chatting
def difference_fragment(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Compare with the previous request on the same path."""
    record, _, _ = _wanted(request, actor, conversation)
    try:
        page = difference_page(record, Redaction(actor, record))
    except CannotRebuild as error:
        return _cannot(request, error)
    return render(request, "panel/raw_difference.html", {"page": page})


@require_safe
@chatting
def response_fragment(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    record, _, _ = _wanted(request, actor, conversation)
    return render(request, "panel/raw_response.html", {"answer": answer_of(record)})


@require_safe
@chatting
def events_fragment(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    record, after, _ = _wanted(request, actor, conversation)
    context = {"page": event_page(record, after), "record": record, "is_first": not after}
    return render(request, "panel/raw_events.html", context)


@require_safe
@chatting
def request_json(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Return the request as JSON, as far as the reader may see it."""
    record, _, _ = _wanted(request, actor, conversation)
    try:
        body = Redaction(actor, record).body(rebuild(record))
    except CannotRebuild as error:
        return JsonResponse({"detail": _why(error)}, status=409)
    return JsonResponse(body, json_dumps_params={"indent": 2, "ensure_ascii": False})


@require_safe
@chatting
def request_curl(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Return a command line for the request; only staff see the provider's address."""
    record, _, _ = _wanted(request, actor, conversation)
    redaction = Redaction(actor, record)
    try:
        found = rebuild(record)
    except CannotRebuild as error:
        return HttpResponse(f"{_why(error)}\n", status=409, content_type="text/plain")
    notes, body = redaction.sentence(found), redaction.body(found)
    text = curl(body, notes=notes, shows_address=actor.is_staff)
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def _wanted(request: HttpRequest, actor: Actor, conversation: UUID) -> tuple[ContextPlan, int, int]:
    """Read the named record, where its page begins, and the message asked for."""
    wanted = read(RecordForm, request)
    found = access_conversation(actor, conversation, reading=Viewing.Page.RAW)
    record = shown_plan(found, generation=wanted["generation"], step=wanted["step"])
    record.generation.conversation = found
    return record, wanted["after"] or 0, wanted["number"] or 0


def _cannot(request: HttpRequest, error: CannotRebuild) -> HttpResponse:
    return render(request, "panel/raw_cannot.html", {"sentence": _why(error)})


def _why(error: CannotRebuild) -> str:
    return _("The current planner can't rebuild this request: {error}").format(error=error)
