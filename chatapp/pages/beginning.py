"""The agents and networks with which a chat can begin, and the one that an address names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar
from urllib.parse import parse_qsl

from django.http import QueryDict
from django.utils.translation import gettext as _

from agents.models import AgentTemplate
from agents.networks.models import Network
from history.core.words.wording import nearest

DEFAULT_AGENT = "demo"
LONGEST = 50  # The most characters of a name that a notice repeats.
PARTNERS: Mapping[str, type[AgentTemplate] | type[Network]] = {
    "agent": AgentTemplate,
    "network": Network,
}
Named = TypeVar("Named", AgentTemplate, Network)


@dataclass(frozen=True, slots=True)
class OfferedAgents:
    """All enabled agents and networks."""

    agents: Sequence[AgentTemplate]
    networks: Sequence[Network]


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a chat begins with. `agent` answers first, and is None if there is none; `network` is
    None if the agent answers alone.

    `notice` says why the chat begins with another agent or network than the address names, or with
    only one of the two that it names.
    """

    agent: AgentTemplate | None
    network: Network | None = None
    notice: str = ""


def offered() -> OfferedAgents:
    """List the general agent first, then the others in the order in which they were created."""
    agents = AgentTemplate.objects.filter(enabled=True).order_by("pk")
    general_first = sorted(agents, key=lambda agent: agent.slug != DEFAULT_AGENT)
    return OfferedAgents(general_first, list(Network.objects.filter(enabled=True).order_by("pk")))


def beginning_of(
    address: Mapping[str, str], offers: OfferedAgents, *, sees_disabled: bool = False
) -> Beginning:
    """Read an address. If it names a network, the chat begins there, and its `agent` is ignored.

    `sees_disabled`: a notice may tell the reader of agents that aren't offered.
    """
    slug = address.get("agent", "")
    if network := address.get("network", ""):
        beginning = _in_network(network, offers)
        notices = [_beside_network(slug, network)] if slug and beginning.network else []
        return replace(beginning, notice=" ".join(filter(None, [beginning.notice, *notices])))
    agent = _find(slug, offers.agents)
    if agent:
        return Beginning(agent)
    if sees_disabled and AgentTemplate.objects.filter(slug=slug).exists():
        return _instead(_("The agent “{wanted}” is not enabled. Using {agent}."), slug, offers, "")
    near = nearest(slug, [each.slug for each in offers.agents])
    unknown = _("No agent is called “{wanted}”. Using {agent}.")
    misspelt = _("No agent is called “{wanted}”. Did you mean {near}? Using {agent}.")
    return _instead(misspelt if near else unknown, slug, offers, near)


def beginning_of_page(
    address: QueryDict, offers: OfferedAgents, *, sees_disabled: bool = False
) -> Beginning:
    """Read a page's address. It may name several agents by mistake; say which are ignored."""
    beginning = beginning_of(address, offers, sees_disabled=sees_disabled)
    repeated = [_before_another(kind, address.getlist(kind)) for kind in PARTNERS]
    return replace(beginning, notice=" ".join(filter(None, [beginning.notice, *repeated])))


def named_last(query: str) -> dict[str, str]:
    """Return the last agent or network in an address. The last one counts, because a page appends
    its own.
    """
    partners = [(name, slug) for name, slug in parse_qsl(query) if name in PARTNERS]
    return dict(partners[-1:])


def _in_network(slug: str, offers: OfferedAgents) -> Beginning:
    network = _find(slug, offers.networks)
    if network is None:
        near = nearest(slug, [each.slug for each in offers.networks])
        unknown = _("No network is called “{wanted}”. Using {agent}.")
        misspelt = _("No network is called “{wanted}”. Did you mean {near}? Using {agent}.")
        return _instead(misspelt if near else unknown, slug, offers, near)
    entry = AgentTemplate.objects.filter(slug=network.entry).first()
    if entry is None:
        gone = _("{network} can't start, because its first agent, {entry}, no longer exists.")
        return Beginning(None, notice=gone.format(network=network.name, entry=network.entry))
    return Beginning(entry, network)


def _beside_network(slug: str, network: str) -> str:
    return _(
        "agent={agent} in the address is ignored because network={network} decides who answers. "
        "Leave one of the two out."
    ).format(agent=slug[:LONGEST], network=network[:LONGEST])


def _before_another(kind: str, slugs: Sequence[str]) -> str:
    """Say that a name is ignored because a different one follows it; empty if there is none."""
    ignored = next((slug for slug in slugs if slug != slugs[-1]), None)
    if ignored is None:
        return ""
    return _(
        "{kind}={ignored} in the address is ignored because {kind}={last} follows it. "
        "Leave one of the two out."
    ).format(kind=kind, ignored=ignored[:LONGEST], last=slugs[-1][:LONGEST])


def _instead(sentence: str, slug: str, offers: OfferedAgents, near: str) -> Beginning:
    """Choose the demo agent, or else the first agent there is."""
    agent = _find(DEFAULT_AGENT, offers.agents) or next(iter(offers.agents), None)
    if agent is None or slug in {"", agent.slug}:
        return Beginning(agent)
    notice = sentence.format(wanted=slug[:LONGEST], agent=agent.name, near=near)
    return Beginning(agent, notice=notice)


def _find(slug: str, rows: Sequence[Named]) -> Named | None:
    return next((row for row in rows if row.slug == slug), None)
