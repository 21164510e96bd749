"""What the map calls the agents of a chat: who wrote an answer, and whom it reached."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from history.models import Generation

AGENT = gettext_lazy("agent")


@dataclass(frozen=True, slots=True)
class Speakers:
    """Agents' names by slug; `transfers` and `asks` name the agents that tools reach, by tool.

    All are empty for an agent that answers alone.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    transfers: Mapping[str, str] = field(default_factory=dict)
    asks: Mapping[str, str] = field(default_factory=dict)

    def who(self, slug: str, calls: Iterable[Mapping[str, Any]]) -> str:
        """Name an answer's agent, and the agents that it handed over to or asked."""
        name, called = self.names.get(slug, str(AGENT)), [call["name"] for call in calls]
        if others := _reached(self.transfers, called):
            return _("{agent} hands over to {other}").format(agent=name, other=others)
        if others := _reached(self.asks, called):
            return _("{agent} asks {other}").format(agent=name, other=others)
        return name


def _reached(names: Mapping[str, str], called: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names[tool] for tool in called if tool in names))


ALONE = Speakers()


def speakers_of(generation: Generation) -> Speakers:
    """Read the agents of a generation, and those that they could reach."""
    agents = [part.agent for part in generation.parts]
    transfers = [tool for agent in agents for tool in agent.transfers]
    asks = [tool for agent in agents for tool in agent.asks]
    if not (transfers or asks):
        return ALONE
    return Speakers(
        {tool.agent: tool.name for tool in transfers} | generation.agent_names,
        {tool.tool: tool.name for tool in transfers},
        {tool.tool: tool.name for tool in asks},
    )
