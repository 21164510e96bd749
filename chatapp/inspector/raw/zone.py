"""The zone on the request itself: fragments that load when they are opened, and copies of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from chatapp.inspector.forms import MOST, read
from chatapp.inspector.raw.curl import curl, wire_curl
from chatapp.inspector.raw.differing import difference_page
from chatapp.inspector.raw.redaction import Redaction
from chatapp.inspector.raw.request import event_page, facts_of, rebuild, request_page, sent_row
from chatapp.inspector.raw.wire import last_wire, summary_page, wire_page, wires_for
from chatapp.inspector.zone import Zone
from chatapp.pages.guard import chatting
from history.models import ContextPlan, Viewing
from history.services.access import Actor, access_conversation
from history.services.explain.lookup import shown_plan
from history.services.explain.raw.request import CannotRebuild, response_of
from history.services.explain.raw.wire import Reader
from history.services.summaries.actions import checkpoint_of

READABLE = {"indent": 2, "ensure_ascii": False}


class RecordForm(forms.Form):
    """The form that reads which record is asked for, and which part of it. `after` is how many
    messages come before the page, or the number of the event before it; `number` is a message's.
    """

    generation = forms.UUIDField()
    step = forms.IntegerField(min_value=1, max_value=MOST)
    after = forms.IntegerField(required=False, min_value=0, max_value=MOST)
    number = forms.IntegerField(required=False, min_value=1, max_value=MOST)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """The record that an address names, and the person who asks for it."""

    request: HttpRequest
    actor: Actor
    record: ContextPlan
    after: int | None
    number: int | None

    @property
    def redaction(self) -> Redaction:
        return Redaction(self.actor, self.record)


def of_record(view: Callable[[Inquiry], HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Find the record that an address names for a view, or show that it can't be rebuilt."""

    @require_safe
    @chatting
    @wraps(view)
    def shown(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
        values = read(RecordForm(request.GET))
        chat = access_conversation(actor, conversation, reading=Viewing.Page.RAW)
        record = shown_plan(chat, generation=values["generation"], step=values["step"])
        try:
            return view(Inquiry(request, actor, record, values["after"], values["number"]))
        except CannotRebuild as error:
            return render(request, "panel/raw/cannot.html", {"sentence": _why(error)})

    return shown


@of_record
def request_fragment(inquiry: Inquiry) -> HttpResponse:
    """Show a page of the request's messages."""
    page = request_page(inquiry.record, inquiry.redaction, inquiry.after or 0)
    context = {"page": page, "record": inquiry.record, "is_first": not inquiry.after}
    return render(inquiry.request, "panel/raw/request.html", context)


@of_record
def message_fragment(inquiry: Inquiry) -> HttpResponse:
    """Show one message of the request, whole."""
    place, messages = inquiry.number or 0, rebuild(inquiry.record).sent
    if not 1 <= place <= len(messages):
        raise Http404("number: not a message of this request.")
    row = sent_row(place, messages[place - 1], inquiry.redaction, most=None)
    return render(inquiry.request, "panel/raw/text.html", {"text": row.text})


@of_record
def wire_fragment(inquiry: Inquiry) -> HttpResponse:
    """Show the request's wires, and what litellm made of the request."""
    page = wire_page(inquiry.record, inquiry.actor)
    return render(inquiry.request, "panel/raw/wire.html", {"page": page})


@require_safe
@chatting
def summary_wire_fragment(
    request: HttpRequest, actor: Actor, conversation: UUID, checkpoint: int
) -> HttpResponse:
    """Show the request that asked a model for a summary."""
    chat = access_conversation(actor, conversation, reading=Viewing.Page.RAW)
    page = summary_page(checkpoint_of(chat, checkpoint), actor)
    return render(request, "panel/raw/wire.html", {"page": page})


@of_record
def wire_json(inquiry: Inquiry) -> HttpResponse:
    """Return the wires as JSON, without what the reader may not see."""
    wires = wires_for(inquiry.record, Reader.of(inquiry.actor, inquiry.record))
    return JsonResponse([wire.as_dict() for wire in wires], safe=False, json_dumps_params=READABLE)


@of_record
def difference_fragment(inquiry: Inquiry) -> HttpResponse:
    """Show how this request differs from the previous one on the same path."""
    page = difference_page(inquiry.record, inquiry.redaction)
    return render(inquiry.request, "panel/raw/difference.html", {"page": page})


@of_record
def response_fragment(inquiry: Inquiry) -> HttpResponse:
    """Show the response: text and calls as stored, the rest as the provider reported it."""
    context = {"response": response_of(inquiry.record), "facts": facts_of(inquiry.record)}
    return render(inquiry.request, "panel/raw/response.html", context)


@of_record
def events_fragment(inquiry: Inquiry) -> HttpResponse:
    page = event_page(inquiry.record, inquiry.after or 0)
    context = {"page": page, "record": inquiry.record, "is_first": not inquiry.after}
    return render(inquiry.request, "panel/raw/events.html", context)


@of_record
def request_json(inquiry: Inquiry) -> HttpResponse:
    """Return the request as JSON, without what the reader may not see."""
    try:
        body = inquiry.redaction.body(rebuild(inquiry.record))
    except CannotRebuild as error:
        return JsonResponse({"detail": _why(error)}, status=409)
    return JsonResponse(body, json_dumps_params=READABLE)


@of_record
def request_curl(inquiry: Inquiry) -> HttpResponse:
    """Return a command line for the request as it was sent, or else as it was planned; only staff
    see the provider's address.
    """
    record, redaction = inquiry.record, inquiry.redaction
    if wire := last_wire(record, Reader.of(inquiry.actor, record)):
        return _plain(wire_curl(wire))
    try:
        request = rebuild(record)
    except CannotRebuild as error:
        return HttpResponse(f"{_why(error)}\n", status=409, content_type="text/plain")
    body = {**redaction.body(request), "model": record.parameters["model"]}
    notes = redaction.sentence(request)
    return _plain(curl(body, notes=notes, shows_address=inquiry.actor.is_staff))


def _plain(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def _why(error: CannotRebuild) -> str:
    return _("The current planner can't rebuild this request: {error}").format(error=error)


URLS = [
    path("raw/request", request_fragment, name="raw_request"),
    path("raw/message", message_fragment, name="raw_message"),
    path("raw/wire", wire_fragment, name="raw_wire"),
    path("raw/wire.json", wire_json, name="raw_wire_json"),
    path("raw/difference", difference_fragment, name="raw_difference"),
    path("raw/response", response_fragment, name="raw_response"),
    path("raw/events", events_fragment, name="raw_events"),
    path("raw/request.json", request_json, name="raw_json"),
    path("raw/request.curl", request_curl, name="raw_curl"),
    path("summary/<int:checkpoint>/wire", summary_wire_fragment, name="summary_wire"),
]
RAW = Zone(
    "raw",
    gettext_lazy("Raw"),
    gettext_lazy("the request itself"),
    lambda panel: panel.record,
    "right",
    urls=URLS,
    look="raw",
)
