"""Whether stored advice is still true, and who could set its settings, and where."""

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import partial
from typing import Any

from agents.choice import chosen_model
from agents.models import AgentTemplate, SiteDefaults
from agents.snapshot import processors_by_level
from history.core.settings.resolved import ResolvedSetting, Settings
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME
from history.models import Advice, Conversation
from history.services.access import Actor
from history.services.explain.lookup import newest_query
from history.services.settings.answerer import answering
from history.services.settings.layers import resolve_settings
from history.services.whatif.advising import basis_of, recent
from history.services.whatif.revising import may_revise


class Way(StrEnum):
    """How this person may apply an offer: to the chat or template, by asking somebody, or not."""

    CHAT = "chat"
    TEMPLATE = "template"
    ASK = "ask an administrator"
    LOCKED = "locked"


RANK = list(Way)


@dataclass(frozen=True, slots=True)
class Offer:
    """The variant to propose. If it is locked, `obstacle` is a setting that the environment
    decides.
    """

    advice: Advice
    variant: Mapping[str, Any]
    way: Way
    template: AgentTemplate
    obstacle: ResolvedSetting | None = None

    @property
    def changes(self) -> Mapping[str, Any]:
        return dict(self.variant["changes"])


def offer_for(actor: Actor, conversation: Conversation, query: str | None = None) -> Offer | None:
    """Return the cheapest variant that is worth proposing, if possible one that this actor may
    apply.

    None if there is no advice, its basis has changed since, or none of it would have an effect. A
    variant that the environment locks is shown only to people who may change templates. `query` is
    the open page's; None is the query with which the newest message was sent.
    """
    rows = recent(conversation.branch)
    if not any(_worthwhile(advice) for advice in rows):
        return None
    question = _Asked(actor, conversation, newest_query(conversation) if query is None else query)
    basis = question.basis
    advice = next((each for each in rows if each.basis == basis), None)
    if advice is None:
        return None
    offers = list(filter(None, (question.offer(advice, each) for each in _worthwhile(advice))))
    if not offers:
        return None
    best = min(offers, key=lambda o: (RANK.index(o.way), Decimal(o.variant["money"])))
    return best if best.way is not Way.LOCKED or may_revise(actor) else None


def _worthwhile(advice: Advice) -> list[Mapping[str, Any]]:
    return [variant for variant in advice.facts["variants"] if variant["is_worth_it"]]


class _Asked:
    """The settings of a message that the owner would send now: as they are, and after a change."""

    def __init__(self, actor: Actor, conversation: Conversation, query: str) -> None:
        self.actor, self.conversation = actor, conversation
        self.owner = Actor(conversation.owner, conversation.visitor)
        self.template = answering(conversation)
        self.site = SiteDefaults.objects.first() or SiteDefaults()
        self.resolve: Callable[..., Settings] = partial(
            resolve_settings, actor=self.owner, query=query, site=self.site
        )

    @property
    def basis(self) -> str:
        chat = self.conversation
        model = chosen_model(self.template, chat.model).model
        settings = self.resolve(self.template, conversation=chat)
        processors = processors_by_level(self.template, chat.network, self.site)
        return basis_of(settings, model, processors)

    def offer(self, advice: Advice, variant: Mapping[str, Any]) -> Offer | None:
        """Return the offer; None if something other than a lock keeps a setting from changing."""
        changes = variant["changes"]
        if self.actor.owns(self.conversation) and self._holds_in_chat(changes):
            return Offer(advice, variant, Way.CHAT, self.template)
        if obstacles := list(self._obstacles(changes)):
            obstacle = obstacles[0]
            if not all(setting.locked for setting in obstacles):
                return None
            return Offer(advice, variant, Way.LOCKED, self.template, obstacle)
        way = Way.TEMPLATE if may_revise(self.actor) else Way.ASK
        return Offer(advice, variant, way, self.template)

    def _holds_in_chat(self, changes: Mapping[str, Any]) -> bool:
        if not all(BY_NAME[name].allows(LayerName.CONVERSATION) for name in changes):
            return False
        chat = copy(self.conversation)
        chat.history_settings = {**chat.history_settings, **changes}
        settings = self.resolve(self.template, conversation=chat)
        return all(settings.value(name) == value for name, value in changes.items())

    def _obstacles(self, changes: Mapping[str, Any]) -> Iterator[ResolvedSetting]:
        """Yield the settings that would keep another value if the template were changed."""
        template = copy(self.template)
        template.history_settings = {**template.history_settings, **changes}
        settings = self.resolve(template, conversation=self.conversation)
        return (settings[n] for n, value in changes.items() if settings.value(n) != value)
