"""Views that let people download one chat, or all their chats, as files."""

from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from chatapp.exports import asking
from chatapp.exports.asking import ExportChoice, FormName
from chatapp.exports.streaming import streamed
from chatapp.pages.guard import chatting
from chatapp.pages.sidebar.listing import zone_of
from history.services.access import Actor


class ExportForm(forms.Form):
    format = forms.ChoiceField(choices=[(name, name) for name in FormName])
    thoughts = forms.ChoiceField(choices=[("true", "true"), ("false", "false")], required=False)


@require_safe
@chatting
def export(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponseBase:
    return streamed(asking.one(actor, conversation, _asked(request)), actor)


@require_safe
@chatting
def export_all(request: HttpRequest, actor: Actor) -> HttpResponseBase:
    return streamed(asking.everything(actor, _asked(request)), actor)


def _asked(request: HttpRequest) -> ExportChoice:
    """Read the address's query. Raise Http404, naming the parameter at fault."""
    form = ExportForm(request.GET)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise Http404(f"{name}: {errors[0]}")
    values = form.cleaned_data
    return ExportChoice(FormName(values["format"]), values["thoughts"] != "false", zone_of(request))
