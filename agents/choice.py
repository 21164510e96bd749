"""Choose the model that answers: the agent's own, or another of its list if a chat wants it."""

from dataclasses import dataclass

from django.conf import settings

from agents.catalogue import catalogue
from agents.models import AgentTemplate
from history.core.words.facts import Note, Rule, note


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model that answers. `note` says what became of a chat's choice of another model."""

    model: str
    note: Note | None = None


def own_model(template: AgentTemplate) -> str:
    return template.model or settings.DEFAULT_MODEL


def selectable(template: AgentTemplate) -> list[str]:
    """Return the models that a chat may choose, the agent's own first."""
    return list(dict.fromkeys([own_model(template), *template.allowed_models]))


def agents_with(provider: str) -> list[AgentTemplate]:
    """Return the agents that may ask a model of this provider, by name."""
    agents = AgentTemplate.objects.order_by("name")
    prefix = f"{provider}/"
    return [agent for agent in agents if any(m.startswith(prefix) for m in selectable(agent))]


def on_offer(template: AgentTemplate) -> list[tuple[str, bool]]:
    """Return the selectable models, each with whether it can be called: its provider has a key or
    needs none.
    """
    lacks = catalogue().key_missing
    return [(model, lacks(model) is None) for model in selectable(template)]


def chosen_model(template: AgentTemplate, model: str = "") -> ModelChoice:
    """Return the model if this agent may use it, or else the agent's own. In a network, each agent
    has its own list.
    """
    own = own_model(template)
    if not model or model == own:
        return ModelChoice(own)
    figures = {"model": model, "own": own}
    if model in template.allowed_models:
        return ModelChoice(model, note(Rule.MODEL_CHOSEN, **figures))
    return ModelChoice(own, note(Rule.MODEL_NOT_ALLOWED, **figures))
