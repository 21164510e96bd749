"""The notices that a page shows on its address: what is ignored or may surprise, and what to do."""

from collections.abc import Iterator
from urllib.parse import parse_qsl

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chatapp.pages.address.misnamed import OPENS_PANEL, misnamed, misspelt
from chatapp.pages.address.overruled import Notice, Reader, overruled, without_effect
from chatapp.pages.beginning import PARTNERS, named_last
from chatapp.pages.welcome.offers import partner_query
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.core.stages.policies import policy_of
from history.models import Conversation
from history.services.access import Actor
from history.services.settings.answerer import answering
from history.services.settings.beginning import beginning_settings
from history.services.settings.layers import resolve_settings
from history.wording.faults import word_fault
from history.wording.notes import sentences
from history.wording.remembering import value_set_by

LONGEST = 50  # The most characters of a name that a notice repeats.
IGNORED = gettext_lazy("Ignored from the address: {why}.")


def address_notices(
    resolved: Settings | None, query: str, conversation: Conversation | None, reader: Reader
) -> list[Notice]:
    """Explain which parts of the address do not apply as given, or may surprise: what applies
    instead, who decided that, and what to do.
    """
    if resolved is None or not query:
        return []
    notices = [
        *_invalid(resolved, reader),
        *map(Notice, _ignored(query, conversation)),
        *overruled(resolved, reader),
        *without_effect(resolved),
    ]
    if resolved["length"].winner.layer is LayerName.URL:
        notices += map(Notice, sentences(policy_of(resolved).notes))
    return [*notices, *_other_partner(query, conversation)]


def notices_beside(actor: Actor, conversation: Conversation, query: str | None) -> list[Notice]:
    """Return the notices of the open chat's page, for a fragment that is shown on it."""
    parameters = parse_qsl(query or "", keep_blank_values=True)
    if not query or all(name == "debug" and value in OPENS_PANEL for name, value in parameters):
        return []
    agent = answering(conversation)
    resolved = resolve_settings(agent, actor, query, conversation)
    return address_notices(resolved, query, conversation, Reader(actor, agent.name))


def _invalid(resolved: Settings, reader: Reader) -> Iterator[Notice]:
    for name, each in resolved.invalid:
        if each.layer is LayerName.URL and each.reason:
            problem = IGNORED.format(why=word_fault(each.reason))
            now = value_set_by(resolved, name, reader.agent, is_staff=reader.actor.is_staff)
            yield Notice(f"{problem} {now}", given=(name, each.raw))


def _ignored(query: str, conversation: Conversation | None) -> Iterator[str]:
    reasons = [] if conversation else beginning_settings(query).faults.values()
    yield from (IGNORED.format(why=word_fault(reason)) for reason in reasons)
    yield from (IGNORED.format(why=why) for why in misnamed(query))
    sentence = _("Ignored from the address: {name} is not a setting. Did you mean {meant}?")
    yield from (sentence.format(name=name, meant=near) for name, near in misspelt(query))


def _other_partner(query: str, conversation: Conversation | None) -> Iterator[Notice]:
    """Say that a chat keeps its agent or network, and offer a new chat with the named one."""
    if conversation is None:
        return
    partner = conversation.network or conversation.agent
    for kind, slug in named_last(query).items():
        if isinstance(partner, PARTNERS[kind]) and partner.slug == slug:
            return
        text = _("This chat is with {partner}: {kind}={slug} in the address doesn't change that.")
        sentence = text.format(partner=partner.name, kind=kind, slug=slug[:LONGEST])
        other = PARTNERS[kind].objects.filter(slug=slug, enabled=True).first()
        if other is None:
            yield Notice(sentence)
            continue
        link = _("Start a new chat with {name}").format(name=other.name)
        yield Notice(sentence, f"{reverse('home')}?{partner_query(other)}", link)
