"""Apply tried settings to the chat: those that were changed become its own."""

import json
from collections.abc import Collection, Mapping, Set
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from agents.effective import contradictions_of
from chatapp.inspector.whatif.form import TRIED, WhatIfForm
from chatapp.pages.address.leaving import overriding
from history.core.settings.resolved import Settings
from history.core.settings.spec import STRIDE, LayerName, Value
from history.core.settings.table import BY_NAME
from history.core.words.errors import SettingErrors
from history.models import Conversation
from history.services.access import Actor
from history.services.settings.answerer import answering
from history.services.settings.applying import applied_to, apply, undo
from history.services.settings.layers import refusal, resolve_settings
from history.services.whatif.lost import exact_length, not_per_chat, why_lost
from history.wording.deciding.sources import source_of, why_refused
from history.wording.names import label_of
from history.wording.settings import labelled_faults_of, shown_setting

BELOW = (LayerName.TEMPLATE, LayerName.SITE, LayerName.BUILT_IN)


@dataclass(frozen=True, slots=True)
class SettingsTaken:
    """The outcome of applying settings to a chat.

    `said` says which settings apply from now on; `faults` says which do not, and why. `leaves` are
    parameters of the page's address that would override the applied settings, so the page removes
    them. `before` is JSON of the chat's own settings that were replaced, with None where it had
    none.
    """

    said: str
    faults: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    before: str = ""


def to_conversation(
    actor: Actor, conversation: Conversation, form: WhatIfForm, query: str = ""
) -> SettingsTaken:
    """Apply the changed settings that a chat may set for itself, and name the others. `query` is
    that of the page's address.
    """
    if refused := refusal(actor):
        text = _("You can't change this: {reason}.")
        return SettingsTaken("", (text.format(reason=why_refused(refused.who)),))
    own = own_of(actor, conversation, form, query)
    try:
        saved = apply(actor, conversation.pk, own) if own else conversation
    except SettingErrors as errors:
        return SettingsTaken("", tuple(labelled_faults_of(errors)))
    resolved = resolve_settings(answering(conversation), actor, "", saved)
    faults = [not_per_chat(name) for name in _only_tried(form, resolved) if name not in own]
    if not own:
        return SettingsTaken("", tuple(faults))
    layer = LayerName.CONVERSATION
    every = {
        name: why_lost(resolved[name], value, layer, is_staff=actor.is_staff)
        for name, value in own.items()
    }
    lost = {name: why for name, why in every.items() if why}
    faults += [*lost.values(), *_steps_lost(form, own, resolved)]
    faults += contradictions_of(LayerName.CONVERSATION, resolved)
    sentence = _said(resolved, own.keys() - lost.keys())
    return SettingsTaken(sentence, tuple(faults), overriding(query, own), _before(saved))


def _only_tried(form: WhatIfForm, resolved: Settings) -> list[str]:
    """Return the tried changes that are not applied, except values that the chat has already."""
    values = form.cleaned_data
    return [n for n in form.changes if n not in TRIED or resolved.value(n) != values[n]]


def still_taken(actor: Actor, conversation: Conversation) -> SettingsTaken | None:
    """Return the settings last applied to the chat, as long as they stand, so that its owner can
    undo them even after a reload.
    """
    applied = applied_to(conversation)
    if applied is None or not actor.owns(conversation) or refusal(actor):
        return None
    resolved = resolve_settings(answering(conversation), actor, "", conversation)
    text = _("Applied to this chat: {settings}.")
    sentence = text.format(settings=values_of(resolved, applied.now))
    return SettingsTaken(sentence, before=_before(conversation))


def returns_of(actor: Actor, conversation: Conversation, form: WhatIfForm, query: str) -> str:
    """Name the settings of the shown request that the next one won't have, because the chat's have
    changed since; empty if nothing changed, or if the actor may not change them.
    """
    if not actor.owns(conversation) or refusal(actor):
        return ""
    own = own_of(actor, conversation, form, query)
    values = form.cleaned_data
    return ", ".join(f"{label_of(name)} {shown_setting(name, values[name])}" for name in own)


def own_of(
    actor: Actor, conversation: Conversation, form: WhatIfForm, query: str
) -> dict[str, Value | None]:
    """Return the settings that the chat itself must have so that its next request is as tried. None
    removes the chat's own setting, because the inherited value is the same.
    """
    values, template = form.tried, answering(conversation)
    own = conversation.history_settings
    now = resolve_settings(template, actor, query, conversation)
    names = [n for n in TRIED if n in form.changes or (n in own and values[n] != now.value(n))]
    names = [n for n in names if BY_NAME[n].allows(LayerName.CONVERSATION)]
    bare = copy(conversation)
    bare.history_settings = {n: value for n, value in own.items() if n not in names}
    inherited = resolve_settings(template, actor, "", bare)
    return {n: None if _is_inherited(n, values, inherited) else values[n] for n in names}


def _is_inherited(name: str, values: Mapping[str, Any], inherited: Settings) -> bool:
    """Return whether the inherited value is the same; a length must also have the same stride."""
    together = (name, STRIDE) if name == "length" else (name,)
    return all(values[each] == inherited.value(each) for each in together)


def _before(conversation: Conversation) -> str:
    applied = applied_to(conversation)
    return json.dumps(applied.before) if applied else ""


def _said(resolved: Settings, names: Set[str]) -> str:
    if not names:
        return ""
    text = _("Applied to this chat, starting with your next message: {settings}.")
    return text.format(settings=values_of(resolved, names))


def values_of(resolved: Settings, names: Collection[str]) -> str:
    """Write these settings with their resolved values."""
    return ", ".join(_value(resolved, name) for name in TRIED if name in names)


def _value(resolved: Settings, name: str) -> str:
    """Write the setting, naming its source unless that is the chat itself. A value from a layer
    below the chat's is inherited, because the chat has none of its own.
    """
    value = f"{label_of(name)} {shown_setting(name, resolved.value(name))}"
    winner = resolved[name].winner
    if winner.layer is LayerName.CONVERSATION and not winner.capped:
        return value
    is_below = winner.layer in BELOW and not winner.capped
    text = _("{value}, inherited from {source}") if is_below else _("{value}, from {source}")
    return text.format(value=value, source=source_of(winner))


def take_back(actor: Actor, conversation: Conversation, before: str) -> SettingsTaken:
    """Restore the chat's previous own settings. Raise `ValueError` for bad JSON, and
    `SettingErrors`.
    """
    undo(actor, conversation.pk, json.loads(before))
    return SettingsTaken(_("Undone: this chat has its previous settings again."))


def _steps_lost(form: WhatIfForm, own: Mapping[str, Value | None], resolved: Settings) -> list[str]:
    """Say if the tried length loses the steps that it was tried with."""
    stride, now = form.tried[STRIDE], resolved.value(STRIDE)
    if own.get("length") is None or stride == now:
        return []
    return [exact_length(now)]
