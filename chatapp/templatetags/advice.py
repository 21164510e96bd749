"""Advice on the page of an agent in the administration."""

from django import template
from django.contrib.auth.models import AnonymousUser, User

from agents.models import AgentTemplate
from history.services.access import Actor, may_see_all_costs
from history.services.whatif.sampling import agent_advice, agent_sentences

register = template.Library()


@register.simple_tag
def advice_for(agent: object, user: User | AnonymousUser) -> list[str]:
    """Return sentences for people who may see all costs; none if there is nothing to advise."""
    if not isinstance(agent, AgentTemplate) or not isinstance(user, User):
        return []
    advice = agent_advice(agent) if may_see_all_costs(Actor(user)) else None
    return list(agent_sentences(advice)) if advice else []
