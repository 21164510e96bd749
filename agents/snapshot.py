"""What a generation needs of its agent, frozen when the message is sent."""

from typing import Any, TypedDict

from agents.choice import chosen_model
from agents.mcp.offering import offer_for, without_servers
from agents.models import AgentTemplate, SiteDefaults
from agents.networks.models import Network
from agents.networks.reach import reach_of
from agents.tools import Audience


class AgentSnapshot(TypedDict):
    """JSON. A later edit of the template does not reach a generation that has begun.

    `mcp` is the offer of its servers' tools as text; empty if it names no server. `network` is None
    for an agent that answers alone, which has no `transfers` then. `notes` mention agents that it
    cannot reach.
    """

    slug: str
    name: str
    version: int
    source: str
    model: str
    system_prompt: str
    temperature: float | None
    output_limit: int | None
    tools: list[str]
    mcp: str
    prompt_is_public: bool
    history_settings: dict[str, Any]
    processors: dict[str, list[Any]]
    context: list[Any]
    network: dict[str, Any] | None
    transfers: list[dict[str, str]]
    asks: list[dict[str, str]]
    notes: list[dict[str, Any]]


def snapshot(  # noqa: PLR0913 -- all that an answer depends on
    template: AgentTemplate,
    audience: Audience = Audience.STAFF,
    network: Network | None = None,
    *,
    may_ask: bool = True,
    site: SiteDefaults | None = None,
    model: str = "",
) -> AgentSnapshot:
    """Freeze an agent, with the model that will be called: `DEFAULT_MODEL` if it names none.

    `model` is the one that its chat has chosen. `site` saves reading it, if the caller has it.
    """
    reach = reach_of(template, network, may_ask=may_ask)
    choice = chosen_model(template, model)
    return AgentSnapshot(
        slug=template.slug,
        name=template.name,
        version=template.version,
        source=template.source,
        model=choice.model,
        system_prompt=template.system_prompt,
        temperature=template.temperature,
        output_limit=template.output_limit,
        tools=without_servers(template.tools),
        mcp=offer_for(template.tools, audience).as_text(),
        prompt_is_public=template.prompt_is_public,
        history_settings=dict(template.history_settings),
        processors=processors_by_level(template, network, site),
        context=list(template.context),
        network={"slug": network.slug, "name": network.name} if network else None,
        transfers=[transfer.as_dict() for transfer in reach.transfers],
        asks=[delegate.as_dict() for delegate in reach.delegates],
        notes=[note.as_dict() for note in (choice.note, *reach.notes) if note],
    )


def processors_by_level(
    template: AgentTemplate, network: Network | None = None, site: SiteDefaults | None = None
) -> dict[str, list[Any]]:
    """Return the chain as `parse_levels` takes it."""
    site = site or SiteDefaults.objects.first()
    return {
        "history": site.processors if site else [],
        "network": list(network.processors) if network else [],
        "agent": list(template.processors),
    }
