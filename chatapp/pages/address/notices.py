"""What a page says of its address: what is ignored or may surprise, and the way out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chatapp.pages.address.misnamed import OPENS_PANEL, misnamed, misspelt
from chatapp.pages.beginning import PARTNERS, named_last
from chatapp.pages.welcome.offers import partner_query
from history.core.settings.resolved import Candidate, CandidateOutcome, Settings
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME
from history.core.stages.policies import policy_of
from history.core.words.facts import Rule
from history.models import Conversation
from history.services.access import Actor
from history.services.settings.answerer import answering
from history.services.settings.beginning import beginning_settings
from history.services.settings.layers import resolve_settings
from history.wording.deciding.sources import why_refused
from history.wording.faults import word_fault
from history.wording.headline import joined
from history.wording.notes import sentences
from history.wording.remembering import value_set_by

LOWERED = (Rule.CAPPED, Rule.ALL_AS_LAST)
SIGN_IN = gettext_lazy("Sign in")
UNUSED = (CandidateOutcome.LOCKED, CandidateOutcome.REFUSED)
LONGEST = 50  # Characters of a name.
IGNORED = gettext_lazy("Ignored from the address: {why}.")


@dataclass(frozen=True, slots=True)
class Notice:
    """`url` leads to what the address may have meant; empty if there is no such page. `given` is
    the setting and the value that nobody can read, if it is about one.
    """

    sentence: str
    url: str = ""
    link: str = ""
    given: tuple[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads the notices, and the name of the agent that answers them."""

    actor: Actor
    agent: str


def address_notices(
    resolved: Settings | None, query: str, conversation: Conversation | None, reader: Reader
) -> list[Notice]:
    """Explain what of the address does not apply as given, or may surprise: what applies instead,
    who decided that, and the way out.
    """
    if resolved is None or not query:
        return []
    notices = [
        *_invalid(resolved, reader),
        *map(Notice, _ignored(query, conversation)),
        *overruled(resolved, reader),
    ]
    if resolved["length"].winner.layer is LayerName.URL:
        notices += map(Notice, sentences(policy_of(resolved).notes))
    return [*notices, *_other_partner(query, conversation)]


def notices_beside(actor: Actor, conversation: Conversation, query: str | None) -> list[Notice]:
    """Return those of the chat that is open beside a fragment."""
    given = parse_qsl(query or "", keep_blank_values=True)
    if not query or all(name == "debug" and value in OPENS_PANEL for name, value in given):
        return []
    agent = answering(conversation)
    resolved = resolve_settings(agent, actor, query, conversation)
    return address_notices(resolved, query, conversation, Reader(actor, agent.name))


def _invalid(resolved: Settings, reader: Reader) -> Iterator[Notice]:
    for name, each in resolved.invalid:
        if each.layer is LayerName.URL and each.reason:
            said = IGNORED.format(why=word_fault(each.reason))
            now = value_set_by(resolved, name, reader.agent)
            yield Notice(f"{said} {now}", given=(name, each.raw))


def _ignored(query: str, conversation: Conversation | None) -> Iterator[str]:
    reasons = [] if conversation else beginning_settings(query).faults.values()
    yield from (IGNORED.format(why=word_fault(reason)) for reason in reasons)
    yield from (IGNORED.format(why=why) for why in misnamed(query))
    meant = _("Ignored from the address: {name} is not a setting. Did you mean {meant}?")
    yield from (meant.format(name=name, meant=known) for name, known in misspelt(query))


def overruled(resolved: Settings, reader: Reader) -> Iterator[Notice]:
    """Name what is valid and doesn't count as given, unless it is so anyway."""
    for name, setting in resolved.items():
        for each in setting.candidates:
            is_lost = each.outcome in UNUSED and each.value != setting.value
            is_lowered = each.reason is not None and each.reason.rule in LOWERED
            if each.layer is LayerName.URL and (is_lost or is_lowered):
                yield _overruled(resolved, name, each, reader)


def _overruled(resolved: Settings, name: str, each: Candidate, reader: Reader) -> Notice:
    why, way = _why_and_way(resolved, each, reader.actor)
    given = _("{name}={value} in the address is {why}.").format(
        name=BY_NAME[name].url, value=each.raw, why=why
    )
    now = value_set_by(resolved, name, reader.agent)
    if each.outcome is CandidateOutcome.REFUSED and reader.actor.user is None and way is SIGN_IN:
        return Notice(f"{given} {now}", reverse("login"), str(SIGN_IN))
    return Notice(f"{given} {now} {way}")


def _why_and_way(resolved: Settings, each: Candidate, actor: Actor) -> tuple[str, Any]:
    """Say why the environment decides; to administrators, by which variable."""
    said = each.reason
    if said and said.rule is Rule.LAYER_REFUSED:
        variable, _equals, who = str(said.figures["why"]).partition("=")
        why = _("ignored because {why}").format(why=why_refused(str(said.figures["why"])))
        return why, SIGN_IN if who == "signed_in" else _way(actor, variable)
    if each.capped:
        variable = str(said.figures["variable"]) if said else ""
        return _("more than the server allows"), _way(actor, variable)
    deciding = (resolved[name].winner for name in ("policy", "length"))
    variables = [c.source.split()[-1] for c in deciding if c.layer is LayerName.ENVIRONMENT]
    why = _("ignored because the server's environment decides how much is remembered")
    return why, _way(actor, joined(list(dict.fromkeys(variables))))


def _way(actor: Actor, variables: str) -> str:
    if not actor.is_staff:
        return _("Only an administrator can change that.")
    return _("To change that, change {variables} in the server's environment.").format(
        variables=variables
    )


def _other_partner(query: str, conversation: Conversation | None) -> Iterator[Notice]:
    """Say that a chat keeps its agent or network, and offer a new chat with the named one."""
    if conversation is None:
        return
    partner = conversation.network or conversation.agent
    for kind, slug in named_last(query).items():
        if isinstance(partner, PARTNERS[kind]) and partner.slug == slug:
            return
        told = _("This chat is with {partner}: {kind}={slug} in the address doesn't change that.")
        sentence = told.format(partner=partner.name, kind=kind, slug=slug[:LONGEST])
        wanted = PARTNERS[kind].objects.filter(slug=slug, enabled=True).first()
        if wanted is None:
            yield Notice(sentence)
            continue
        link = _("Start a new chat with {name}").format(name=wanted.name)
        yield Notice(sentence, f"{reverse('home')}?{partner_query(wanted)}", link)
