"""Whom an agent of a network may hand over to, by what the network and its agents are now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agents.models import AgentTemplate, Network
from agents.networks.transfers import PREFIX, Transfer, tool_name


@dataclass(frozen=True, slots=True)
class Reach:
    """`notes` are sentences on the members that cannot be reached."""

    network: Network
    transfers: tuple[Transfer, ...]
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """What a snapshot keeps of the network itself."""
        network = self.network
        return {"slug": network.slug, "name": network.name, "notes": list(self.notes)}


def reach_of(network: Network, agent: AgentTemplate) -> Reach:
    """Never to itself."""
    others = [slug for slug in network.members if slug != agent.slug]
    found = {each.slug: each for each in AgentTemplate.objects.filter(slug__in=others)}
    transfers = tuple(_transfer(found[slug]) for slug in others if slug in found)
    return Reach(network, transfers, tuple(_notes(network, [s for s in others if s not in found])))


def _transfer(agent: AgentTemplate) -> Transfer:
    return Transfer(tool_name(PREFIX, agent.slug), agent.slug, agent.name, agent.description)


def _notes(network: Network, gone: Sequence[str]) -> Iterator[str]:
    for slug in gone:
        yield f"network {network.name}: {slug} is left out, since there is no such agent."
