"""Find the agents to which an agent may hand over or delegate at present."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents.models import AgentTemplate
from agents.networks.agent_tools import Delegate, Transfer
from agents.networks.models import Network
from history.core.words.facts import Note, Rule, warning


@dataclass(frozen=True, slots=True)
class Reach:
    """The agents that an agent can reach. `notes` say which ones cannot be reached."""

    transfers: tuple[Transfer, ...] = ()
    delegates: tuple[Delegate, ...] = ()
    notes: tuple[Note, ...] = ()


def reach_of(agent: AgentTemplate, network: Network | None, *, may_ask: bool) -> Reach:
    """Find the agents that an agent can reach; if no agents are named, make no query."""
    others = [slug for slug in (network.members if network else ()) if slug != agent.slug]
    askable = [slug for slug in agent.asks if slug != agent.slug]
    if not others and not askable:
        return Reach()
    rows = AgentTemplate.objects.filter(slug__in=[*others, *askable])
    agents = {each.slug: each for each in rows}
    delegates = [agents[slug] for slug in askable if slug in agents]
    return Reach(
        tuple(Transfer.to(agents[slug]) for slug in others if slug in agents),
        tuple(map(Delegate.to, delegates)) if may_ask else (),
        tuple(_notes([*others, *askable], agents, too_deep=bool(delegates) and not may_ask)),
    )


def _notes(
    slugs: Sequence[str], agents: Mapping[str, AgentTemplate], *, too_deep: bool
) -> Iterator[Note]:
    for slug in dict.fromkeys(slugs):
        if slug not in agents:
            yield warning(Rule.AGENT_UNKNOWN, slug=slug)
    if too_deep:
        yield warning(Rule.AGENTS_TOO_DEEP)
