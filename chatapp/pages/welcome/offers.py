"""Agents and networks on offer, described for people: what each does, and what it remembers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.http import urlencode
from django.utils.translation import ngettext

from agents.effective import remembered
from agents.models import AgentTemplate, SiteDefaults
from agents.networks.models import Network
from chatapp.pages.beginning import OfferedAgents


@dataclass(frozen=True, slots=True)
class Offer:
    """An agent or a network to choose. `about` says what the agent remembers, or how many agents
    the network has.
    """

    partner: AgentTemplate | Network
    about: str

    @property
    def query(self) -> str:
        """The query of the address that begins a chat with this agent or network."""
        return partner_query(self.partner)


def partner_query(partner: AgentTemplate | Network | None) -> str:
    if partner is None:
        return ""
    return urlencode({"network" if isinstance(partner, Network) else "agent": partner.slug})


def described(
    offers: OfferedAgents, site: SiteDefaults, here: Mapping[int, str]
) -> Sequence[Offer]:
    """Describe everything on offer, agents first.

    `here` tells, by agents' ids, what they remember on this page, whose address or chat may
    override their settings.
    """
    agents = [
        Offer(agent, here.get(agent.pk) or remembered(agent, site)) for agent in offers.agents
    ]
    return [*agents, *(Offer(network, _size(network)) for network in offers.networks)]


def _size(network: Network) -> str:
    sentence = ngettext("{n} agent.", "{n} agents.", len(network.members))
    return sentence.format(n=len(network.members))
