"""Apply a try to the chat: the changed settings become its own."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from agents.effective import contradictions_of
from chatapp.inspector.whatif.form import WhatIfForm
from history.core.settings.layers import url_layer
from history.core.settings.resolved import Resolved
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME
from history.models import Conversation
from history.services.access import Actor
from history.services.settings.answerer import answering
from history.services.settings.layers import refusal, resolve_settings, save_settings
from history.wording.settings import label_of, reason_of, source_of


@dataclass(frozen=True, slots=True)
class SettingsTaken:
    """`said` is what applies from now on; `faults` is what does not, and why. `leaves` are
    parameters of the page's address that would override it: the page removes them.
    """

    said: str
    faults: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()


def to_conversation(
    actor: Actor, conversation: Conversation, form: WhatIfForm, query: str = ""
) -> SettingsTaken:
    """Take what a chat may set for itself, and name the rest. `query` is the page's own."""
    if why := refusal(actor):
        return SettingsTaken("", (_("You can't change this: {reason}.").format(reason=why),))
    own = {
        n: v
        for n, v in form.changes.items()
        if n in BY_NAME and BY_NAME[n].allows(LayerName.CONVERSATION)
    }
    faults = [
        _("{setting} can't be set per chat.").format(setting=label_of(n))
        for n in form.changes
        if n not in own
    ]
    if not own:
        return SettingsTaken("", tuple(faults))
    saved = save_settings(actor, conversation.pk, own)
    resolved = resolve_settings(answering(conversation), actor, "", saved)
    lost = {name: why for name, value in own.items() if (why := _why_not(resolved[name], value))}
    faults += [*lost.values(), *contradictions_of(LayerName.CONVERSATION, resolved)]
    asked = url_layer(query).values
    leaves = tuple(BY_NAME[name].url or "" for name in own if name in asked)
    held = {name: value for name, value in own.items() if name not in lost}
    names = ", ".join(map(label_of, held))
    said = _("Applied to this chat, starting with your next message: {settings}.")
    return SettingsTaken(said.format(settings=names) if held else "", tuple(faults), leaves)


def _why_not(setting: Resolved, value: object) -> str:
    """Say what overrides the chat's own value; empty if nothing does."""
    winner = setting.winner
    is_outranked = winner.layer is LayerName.ENVIRONMENT if value is None else winner.value != value
    if not is_outranked:
        return ""
    own = next((c for c in setting.candidates if c.layer is LayerName.CONVERSATION), winner)
    named = {
        "setting": label_of(setting.name),
        "value": BY_NAME[setting.name].shown(winner.value),
        "source": source_of(winner),
    }
    if own.reason:
        sentence = _("{setting} stays {value}, set by {source} ({reason}).")
        return sentence.format(**named, reason=reason_of(own))
    return _("{setting} stays {value}, set by {source}.").format(**named)
