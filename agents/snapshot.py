"""An agent as it was when the message was sent: all that a generation needs of the agent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from agents.choice import chosen_model
from agents.mcp.offering import offer_for, without_servers
from agents.models import AgentTemplate, SiteDefaults
from agents.networks.agent_tools import Delegate, Transfer
from agents.networks.models import Network
from agents.networks.reach import reach_of
from agents.tools import Audience
from history.core.words.facts import Note


@dataclass(frozen=True, slots=True)
class AgentSnapshot:
    """An agent as its generation began; later edits of the template do not change the snapshot.

    `mcp` is the offer of the agent's MCP tools as text; empty if the agent names no server. In
    storage, `mcp` and `system_prompt` are hashes of the texts. An agent that answers alone has no
    `network` (None) and no `transfers`. `notes` say which agents this one cannot reach.
    """

    slug: str = ""
    name: str = ""
    version: int = 0
    source: str = ""
    model: str = ""
    system_prompt: str = ""
    temperature: float | None = None
    output_limit: int | None = None
    tools: Sequence[str] = ()
    mcp: str = ""
    prompt_is_public: bool = False
    history_settings: Mapping[str, Any] = field(default_factory=dict)
    processors: Mapping[str, Any] = field(default_factory=dict)
    context: Sequence[Any] = ()
    network: Mapping[str, str] | None = None
    transfers: tuple[Transfer, ...] = ()
    asks: tuple[Delegate, ...] = ()
    notes: tuple[Note, ...] = ()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "AgentSnapshot":
        """Read a snapshot from the JSON of `as_dict`; missing fields get their defaults."""
        own = {each.name: values[each.name] for each in fields(cls) if each.name in values}
        lists = {
            "transfers": tuple(Transfer(**each) for each in values.get("transfers", ())),
            "asks": tuple(Delegate(**each) for each in values.get("asks", ())),
            "notes": tuple(map(Note.from_dict, values.get("notes", ()))),
        }
        return cls(**own | lists)

    def as_dict(self) -> dict[str, Any]:
        """Return the snapshot as JSON, the form in which a generation stores it."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        lists = ("transfers", "asks", "notes")
        return own | {name: [each.as_dict() for each in own[name]] for name in lists}


def snapshot(  # noqa: PLR0913 -- all that an answer depends on
    template: AgentTemplate,
    audience: Audience = Audience.STAFF,
    network: Network | None = None,
    *,
    may_ask: bool = True,
    site: SiteDefaults | None = None,
    model: str = "",
) -> AgentSnapshot:
    """Return an agent's snapshot, with the model to call: `DEFAULT_MODEL` if the agent names none.

    `model` is the chat's own choice. `site`: the defaults, if the caller has read them already.
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
        transfers=reach.transfers,
        asks=reach.delegates,
        notes=tuple(note for note in (choice.note, *reach.notes) if note),
    )


def processors_by_level(
    template: AgentTemplate, network: Network | None = None, site: SiteDefaults | None = None
) -> dict[str, list[Any]]:
    """Return the chains of processors by level, as `parse_levels` takes them."""
    site = site or SiteDefaults.objects.first()
    return {
        "history": site.processors if site else [],
        "network": list(network.processors) if network else [],
        "agent": list(template.processors),
    }
