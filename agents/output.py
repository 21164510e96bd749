"""The length of an agent's answers: its own limit, the settings, and what its model's provider says
of both, resolved together.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agents.catalogue import catalogue
from agents.choice import chosen_model
from agents.models import AgentTemplate, usual_reserve
from history.core.settings.contradictions import Contradiction
from history.core.settings.output import EFFORT, OutputRules, find_in_output, limit_of, with_reserve
from history.core.settings.parts import UNSET_EFFORT
from history.core.settings.resolved import Settings


@dataclass(frozen=True, slots=True)
class Output:
    """Who answers, as far as the length of an answer goes. `source` names whose limit it is."""

    model: str
    limit: int | None = None
    source: str = ""

    @classmethod
    def of(cls, template: AgentTemplate, wanted: str = "") -> "Output":
        """Return a template's; `wanted` is a chat's own model."""
        model = chosen_model(template, wanted).model
        return cls(model, template.output_limit, template.source)

    @classmethod
    def of_agent(cls, agent: Mapping[str, Any]) -> "Output":
        """Return that of an agent in a generation's snapshot."""
        return cls(str(agent["model"]), agent["output_limit"], str(agent.get("source", "")))

    def rules(self, effort: str | None) -> OutputRules:
        rules = catalogue().output_rules(self.model, effort)
        return replace(rules, usual=usual_reserve(catalogue().limits(self.model)))

    def reserving(self, settings: Settings) -> Settings:
        """Return the settings with the room that an answer of this agent needs."""
        return with_reserve(settings, self.rules(asked_effort(settings)), self.limit)

    def contradictions(self, settings: Settings) -> Iterator[Contradiction]:
        rules, limit = self.rules(asked_effort(settings)), limit_of(self.limit, self.source)
        return find_in_output(settings, rules, limit)


def asked_effort(settings: Settings) -> str | None:
    """Return the effort that the settings ask for; None leaves it to the provider."""
    effort = str(settings.value(EFFORT))
    return None if effort == UNSET_EFFORT else effort
