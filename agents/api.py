"""The agents and networks that a conversation can begin with."""

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Router, Schema

from agents.catalogue import ModelFacts, catalogue
from agents.choice import selectable
from agents.effective import remembered
from agents.model_facts import prices_record
from agents.models import AgentTemplate, SiteDefaults
from agents.networks.models import Network

router = Router(tags=["agents"])


class AgentOut(Schema):
    slug: str
    name: str
    description: str
    remembers: str
    model: str
    allowed_models: list[str]
    tools: list[str]
    version: int

    @classmethod
    def of(cls, agent: AgentTemplate, site: SiteDefaults | None) -> "AgentOut":
        own = {name: getattr(agent, name) for name in cls.model_fields.keys() - {"remembers"}}
        return cls(**own, remembers=remembered(agent, site))


@router.get("/agents", response=list[AgentOut])
def list_agents(request: HttpRequest) -> list[AgentOut]:
    """List the agents on offer; an empty model is the site's default one. `remembers` says how
    much of a conversation the model sees, by the settings in force.
    """
    site = SiteDefaults.objects.first()
    return [AgentOut.of(agent, site) for agent in AgentTemplate.objects.filter(enabled=True)]


class ModelOut(Schema):
    """`context_window` and `max_output` are in tokens, prices in dollars per million tokens. Null
    means unknown; images are sent to a model of which nobody knows whether it takes any.
    """

    name: str
    context_window: int | None
    max_output: int | None
    input_price: str | None
    output_price: str | None
    cache_read_price: str | None
    cache_write_price: str | None
    images: bool | None
    reasoning: bool | None
    tools: bool | None
    is_known: bool


@router.get("/models", response=list[ModelOut])
def list_models(request: HttpRequest) -> list[dict[str, Any]]:
    """List the models that the agents on offer use, or allow a chat to use."""
    agents = AgentTemplate.objects.filter(enabled=True)
    names = dict.fromkeys(name for agent in agents for name in selectable(agent))
    return [_model_record(name, catalogue().facts(name)) for name in names]


def _model_record(name: str, facts: ModelFacts) -> dict[str, Any]:
    flags = {flag: getattr(facts, flag) for flag in ("images", "reasoning", "tools", "is_known")}
    return {"name": name, **asdict(facts.limits), **prices_record(facts.prices), **flags}


class NetworkOut(Schema):
    slug: str
    name: str
    description: str
    entry: str
    members: list[str]
    version: int


@router.get("/networks", response=list[NetworkOut])
def list_networks(request: HttpRequest) -> QuerySet[Network]:
    """List the networks on offer, with their agents' slugs."""
    return Network.objects.filter(enabled=True)
