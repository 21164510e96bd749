"""The agents and networks that a conversation can begin with."""

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Router, Schema

from agents.models import AgentTemplate
from agents.networks.models import Network

router = Router(tags=["agents"])


class AgentOut(Schema):
    slug: str
    name: str
    description: str
    model: str
    allowed_models: list[str]
    tools: list[str]
    version: int


@router.get("/agents", response=list[AgentOut])
def list_agents(request: HttpRequest) -> QuerySet[AgentTemplate]:
    """List the agents on offer; an empty model is the site's default one."""
    return AgentTemplate.objects.filter(enabled=True)


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
