"""From a try to what holds: the changed settings become the chat's own, or the template's."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from simple_history.utils import update_change_reason

from agents.contradictions import contradictions_of
from agents.models import AgentTemplate
from agents.preview import disagreements
from chatapp.inspector.whatif.form import MODEL, WhatIfForm
from history.core.resolution import LayerName, Resolved, SettingError, url_layer, validate
from history.core.settings import BY_NAME
from history.models import Conversation
from history.services.access import Actor
from history.services.answering import answering
from history.services.layers import refusal, resolve_settings, save_settings


@dataclass(frozen=True, slots=True)
class Taken:
    """`said` is what holds from now on; `faults` is what does not, and why. `leaves` are parameters
    of the page's address that would outrank it: the page takes them out.
    """

    said: str
    faults: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()


def to_conversation(
    actor: Actor, conversation: Conversation, form: WhatIfForm, query: str = ""
) -> Taken:
    """Only what a chat may set for itself; the rest is named. `query` is the page's own."""
    if why := refusal(actor):
        return Taken("", (f"Not open to you: {why}.",))
    own = {n: v for n, v in form.changes.items() if n in BY_NAME and _may_set(n)}
    faults = [f"{_name(n)} cannot be set for one chat." for n in form.changes if n not in own]
    if not own:
        return Taken("", tuple(faults))
    saved = save_settings(actor, conversation.pk, own)
    resolved = resolve_settings(answering(conversation), actor, "", saved)
    lost = {name: why for name, value in own.items() if (why := _why_not(resolved[name], value))}
    faults += [*lost.values(), *contradictions_of(LayerName.CONVERSATION, resolved)]
    asked = url_layer(query).values
    leaves = tuple(BY_NAME[name].url or "" for name in own if name in asked)
    held = {name: value for name, value in own.items() if name not in lost}
    return Taken(_said(held, "this chat"), tuple(faults), leaves)


def _why_not(setting: Resolved, value: object) -> str:
    """What keeps the chat's own value from holding; empty: nothing does."""
    winner = setting.winner
    is_outranked = winner.layer is LayerName.ENVIRONMENT if value is None else winner.value != value
    if not is_outranked:
        return ""
    own = next((c for c in setting.candidates if c.layer is LayerName.CONVERSATION), winner)
    why = f" ({own.reason})" if own.reason else ""
    stays = BY_NAME[setting.name].shown(winner.value)
    return f"{_name(setting.name)} will not hold: it stays {stays}, set by {winner.source}{why}."


def to_template(template: AgentTemplate, form: WhatIfForm) -> Taken:
    """With every check that the admin page makes; a new version, so that it can be reverted."""
    changed = {name: value for name, value in form.changes.items() if name != MODEL}
    settings = {**template.history_settings, **changed}
    try:
        template.history_settings = validate(LayerName.TEMPLATE, settings)
        template.model = str(form.changes.get(MODEL, template.model))
        template.full_clean()
    except SettingError as error:
        return Taken("", (str(error),))
    except ValidationError as error:
        return Taken("", tuple(error.messages))
    if faults := tuple(disagreements(template)):
        return Taken("", faults)
    template.save()
    update_change_reason(template, "Taken from a try in the inspector")
    return Taken(_said(form.changes, f"every chat with {template.name}"))


def _may_set(name: str) -> bool:
    return BY_NAME[name].allows(LayerName.CONVERSATION)


def _said(changes: object, where: str) -> str:
    names = ", ".join(_name(name) for name in changes) if isinstance(changes, dict) else ""
    return f"{names}: holds from the next message on in {where}." if names else ""


def _name(name: str) -> str:
    return name if name == MODEL else BY_NAME[name].label
