"""Apply tried settings to everybody: say who is affected, change the template, and undo that."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from agents.models import AgentTemplate
from chatapp.inspector.forms import read
from chatapp.inspector.whatif.cautions import beyond
from chatapp.inspector.whatif.form import MODEL, WhatIfForm
from chatapp.inspector.whatif.present import present_key
from chatapp.inspector.whatif.views import form_of, record_of
from chatapp.pages.guard import chatting
from history.core.settings.spec import STRIDE
from history.models import ContextPlan, Viewing
from history.services.access import Actor, access_conversation
from history.services.errors import Conflict
from history.services.settings.answerer import template_of
from history.services.whatif.revising import may_revise, reach_of, revise, take_back
from history.services.whatif.trying import recorded
from history.wording.names import label_of
from history.wording.settings import shown_setting


class VersionForm(forms.Form):
    """The version of the template that the person was shown."""

    version = forms.IntegerField(min_value=0, max_value=2**31 - 1)


@require_http_methods(["GET", "HEAD", "POST"])
@chatting
def everybody(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Ask for confirmation, showing what would change for whom; then make the change."""
    record = _record(request, actor, conversation)
    template = _template(record)
    is_confirmed = request.method == "POST"
    form = form_of(recorded(record), request.POST if is_confirmed else request.GET)
    if not form.is_valid() or not form.free_changes:
        raise Http404(_("These settings can't be applied to every chat."))
    if not is_confirmed:
        return render(request, "panel/whatif/everybody.html", _question(record, template, form))
    version = read(VersionForm(request.GET))["version"]
    changes = list(_changes(template, form))
    act = partial(revise, actor, template.pk, version, _revision(template, form))
    return _done(request, record, act, changes)


@require_POST
@chatting
def undo(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Restore the template as it was before `version`."""
    record = _record(request, actor, conversation)
    template, version = _template(record), read(VersionForm(request.GET))["version"]
    return _done(request, record, partial(take_back, actor, template.pk, version))


def _record(request: HttpRequest, actor: Actor, conversation: UUID) -> ContextPlan:
    chat = access_conversation(actor, conversation, reading=Viewing.Page.PANEL)
    record = record_of(request, chat)
    if not may_revise(actor):
        raise PermissionDenied
    return record


def _template(record: ContextPlan) -> AgentTemplate:
    if template := template_of(record):
        return template
    raise Http404(_("The agent of this request no longer exists."))


def _question(record: ContextPlan, template: AgentTemplate, form: WhatIfForm) -> dict[str, Any]:
    changed = _changed(template, form)
    return {
        "record": record,
        "conversation": record.generation.conversation,
        "template": template,
        "changes": list(_changes(template, form)),
        "fields": [(form.add_prefix(name), form[name].data) for name in form.changes],
        "held": form.held,
        "reach": reach_of(template, changed) if changed else None,
        "cautions": list(beyond(form, is_staff=True)),
    }


def _changes(template: AgentTemplate, form: WhatIfForm) -> Iterator[tuple[str, str, str]]:
    """Yield each setting with the template's present value and its new one, for people."""
    for name, (was, now) in _changed(template, form).items():
        label = _("Model") if name == MODEL else label_of(name)
        yield label, _shown(name, was), _shown(name, now)


def _changed(template: AgentTemplate, form: WhatIfForm) -> dict[str, tuple[object, object]]:
    """Return the template's present value and the new one, by setting."""
    now = {**template.history_settings, MODEL: template.model or None}
    revision = _revision(template, form).items()
    return {name: (now.get(name), new) for name, new in revision if now.get(name) != new}


def _revision(template: AgentTemplate, form: WhatIfForm) -> dict[str, Any]:
    """Return the changes that give the template what was tried. A changed length was computed as
    exact, so it may remove the template's stride. Settings that the environment locks are left out:
    they would have no effect until unlocked.
    """
    stride, was = form.tried[STRIDE], template.history_settings.get(STRIDE, form.now[STRIDE])
    is_exact = bool(form.changes.keys() & {"length", "max_items"} - form.locked)
    is_lost = is_exact and stride != was and STRIDE not in form.locked
    return {**form.free_changes, STRIDE: stride} if is_lost else form.free_changes


def _shown(name: str, value: object) -> str:
    return _("default") if value is None else shown_setting(name, value)


def _done(
    request: HttpRequest,
    record: ContextPlan,
    act: Callable[[], AgentTemplate],
    changes: Sequence[tuple[str, str, str]] | None = None,
) -> HttpResponse:
    """Report the outcome. Refusals have status 200, too, because browsers log any other status as
    an error. `changes` is None for an undo.
    """
    context: dict[str, Any] = {"record": record, "conversation": record.generation.conversation}
    try:
        context |= {"template": act(), "changes": changes}
    except Conflict as refusal:
        context["faults"] = [refusal.message]
    except ValidationError as error:
        context["faults"] = error.messages
    context["present"] = present_key(record.generation.conversation_id)
    return render(request, "panel/whatif/everybody_done.html", context)
