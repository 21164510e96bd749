"""The raw zone's fragments, each fetched when it is opened, and the request for the clipboard."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from chatapp.inspector.forms import MOST, read
from chatapp.inspector.raw.curl import curl
from chatapp.inspector.raw.differing import difference_page
from chatapp.inspector.raw.redaction import Redaction
from chatapp.inspector.raw.request import event_page, facts_of, rebuild, request_page, sent_row
from chatapp.inspector.raw.wire import last_wire, summary_page, wire_page, wires_for
from chatapp.inspector.raw.wire_curl import wire_curl
from chatapp.pages.guard import chatting
from history.models import ContextPlan, Viewing
from history.services.access import Actor, access_conversation
from history.services.explain.lookup import shown_plan
from history.services.explain.raw.request import CannotRebuild, response_of
from history.services.explain.raw.wire import Reader
from history.services.summaries.actions import checkpoint_of

READABLE = {"indent": 2, "ensure_ascii": False}


class RecordForm(forms.Form):
    """`after`: how many messages, or which event, precede the page; `number`: one message."""

    generation = forms.UUIDField()
    step = forms.IntegerField(min_value=1, max_value=MOST)
    after = forms.IntegerField(required=False, min_value=0, max_value=MOST)
    number = forms.IntegerField(required=False, min_value=1, max_value=MOST)


RecordView: TypeAlias = Callable[[HttpRequest, Actor, ContextPlan, dict[str, Any]], HttpResponse]


def of_record(view: RecordView) -> Callable[..., HttpResponseBase]:
    """Find the record that the address names; a fragment says why one cannot be rebuilt."""

    @require_safe
    @chatting
    @wraps(view)
    def shown(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
        wanted = read(RecordForm(request.GET))
        found = access_conversation(actor, conversation, reading=Viewing.Page.RAW)
        record = shown_plan(found, generation=wanted["generation"], step=wanted["step"])
        try:
            return view(request, actor, record, wanted)
        except CannotRebuild as error:
            return render(request, "panel/raw/cannot.html", {"sentence": _why(error)})

    return shown


@of_record
def request_fragment(
    request: HttpRequest, actor: Actor, record: ContextPlan, wanted: dict[str, Any]
) -> HttpResponse:
    """Show a page of the request's messages."""
    after = wanted["after"] or 0
    page = request_page(record, Redaction(actor, record), after)
    context = {"page": page, "record": record, "is_first": not after}
    return render(request, "panel/raw/request.html", context)


@of_record
def message_fragment(
    request: HttpRequest, actor: Actor, record: ContextPlan, wanted: dict[str, Any]
) -> HttpResponse:
    """Show one message of the request, whole."""
    place, sent = wanted["number"] or 0, rebuild(record).sent
    if not 1 <= place <= len(sent):
        raise Http404("number: not a message of this request.")
    row = sent_row(place, sent[place - 1], Redaction(actor, record), most=None)
    return render(request, "panel/raw/text.html", {"text": row.text})


@of_record
def wire_fragment(
    request: HttpRequest, actor: Actor, record: ContextPlan, _wanted: dict[str, Any]
) -> HttpResponse:
    """Show what left, and what the library made of the request."""
    return render(request, "panel/raw/wire.html", {"page": wire_page(record, actor)})


@require_safe
@chatting
def summary_wire_fragment(
    request: HttpRequest, actor: Actor, conversation: UUID, checkpoint: int
) -> HttpResponse:
    """Show what left to have a summary written."""
    found = access_conversation(actor, conversation, reading=Viewing.Page.RAW)
    page = summary_page(checkpoint_of(found, checkpoint), actor)
    return render(request, "panel/raw/wire.html", {"page": page})


@of_record
def wire_json(
    _request: HttpRequest, actor: Actor, record: ContextPlan, _wanted: dict[str, Any]
) -> HttpResponse:
    """Return what left as JSON, as far as the reader may see it."""
    wires = wires_for(record, Reader.of(actor, record))
    return JsonResponse([wire.as_dict() for wire in wires], safe=False, json_dumps_params=READABLE)


@of_record
def difference_fragment(
    request: HttpRequest, actor: Actor, record: ContextPlan, _wanted: dict[str, Any]
) -> HttpResponse:
    """Compare with the previous request on the same path."""
    page = difference_page(record, Redaction(actor, record))
    return render(request, "panel/raw/difference.html", {"page": page})


@of_record
def response_fragment(
    request: HttpRequest, _actor: Actor, record: ContextPlan, _wanted: dict[str, Any]
) -> HttpResponse:
    """Show the response: text and calls as stored, the rest as the provider reported it."""
    context = {"response": response_of(record), "facts": facts_of(record)}
    return render(request, "panel/raw/response.html", context)


@of_record
def events_fragment(
    request: HttpRequest, _actor: Actor, record: ContextPlan, wanted: dict[str, Any]
) -> HttpResponse:
    after = wanted["after"] or 0
    context = {"page": event_page(record, after), "record": record, "is_first": not after}
    return render(request, "panel/raw/events.html", context)


@of_record
def request_json(
    _request: HttpRequest, actor: Actor, record: ContextPlan, _wanted: dict[str, Any]
) -> HttpResponse:
    """Return the request as JSON, as far as the reader may see it."""
    try:
        body = Redaction(actor, record).body(rebuild(record))
    except CannotRebuild as error:
        return JsonResponse({"detail": _why(error)}, status=409)
    return JsonResponse(body, json_dumps_params=READABLE)


@of_record
def request_curl(
    _request: HttpRequest, actor: Actor, record: ContextPlan, _wanted: dict[str, Any]
) -> HttpResponse:
    """Return a command line for what left, or else for the request; only staff see the provider's
    address.
    """
    if wire := last_wire(record, Reader.of(actor, record)):
        return _plain(wire_curl(wire))
    redaction = Redaction(actor, record)
    try:
        found = rebuild(record)
    except CannotRebuild as error:
        return HttpResponse(f"{_why(error)}\n", status=409, content_type="text/plain")
    body = {**redaction.body(found), "model": record.parameters["model"]}
    notes = redaction.sentence(found)
    return _plain(curl(body, notes=notes, shows_address=actor.is_staff))


def _plain(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def _why(error: CannotRebuild) -> str:
    return _("The current planner can't rebuild this request: {error}").format(error=error)
