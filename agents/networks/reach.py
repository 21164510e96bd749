"""Whom an agent may hand over or delegate to, given the present networks and agents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents.models import AgentTemplate
from agents.networks import delegates, transfers
from agents.networks.agent_tool import tool_name
from agents.networks.delegates import Delegate
from agents.networks.models import Network
from agents.networks.transfers import Transfer
from history.core.facts import Note, Rule, warning


@dataclass(frozen=True, slots=True)
class Reach:
    """`notes` are on the agents that cannot be reached."""

    transfers: tuple[Transfer, ...] = ()
    delegates: tuple[Delegate, ...] = ()
    notes: tuple[Note, ...] = ()


NOBODY = Reach()


def reach_of(agent: AgentTemplate, network: Network | None, *, may_ask: bool) -> Reach:
    """Find them, never itself. Without names there is no query."""
    others = [slug for slug in (network.members if network else ()) if slug != agent.slug]
    askable = [slug for slug in agent.asks if slug != agent.slug]
    if not others and not askable:
        return NOBODY
    rows = AgentTemplate.objects.filter(slug__in=[*others, *askable])
    found = {each.slug: each for each in rows}
    known = [found[slug] for slug in askable if slug in found]
    return Reach(
        tuple(_transfer(found[slug]) for slug in others if slug in found),
        tuple(map(_delegate, known)) if may_ask else (),
        tuple(_notes([*others, *askable], found, too_deep=bool(known) and not may_ask)),
    )


def _transfer(agent: AgentTemplate) -> Transfer:
    tool = tool_name(transfers.PREFIX, agent.slug)
    return Transfer(tool, agent.slug, agent.name, agent.description)


def _delegate(agent: AgentTemplate) -> Delegate:
    tool = tool_name(delegates.PREFIX, agent.slug)
    return Delegate(tool, agent.slug, agent.name, agent.description)


def _notes(
    slugs: Sequence[str], found: Mapping[str, AgentTemplate], *, too_deep: bool
) -> Iterator[Note]:
    for slug in dict.fromkeys(slugs):
        if slug not in found:
            yield warning(Rule.AGENT_UNKNOWN, slug=slug)
    if too_deep:
        yield warning(Rule.AGENTS_TOO_DEEP)
