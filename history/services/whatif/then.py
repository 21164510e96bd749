"""The agent as it was when a request was made, to be asked once more."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from agents.mcp.offering import without_servers
from agents.models import AgentTemplate
from history.services.texts import stored_text

AS_THEN = ("version", "temperature", "output_limit", "history_settings", "context")


def template_then(template: AgentTemplate, agent: Mapping[str, Any]) -> AgentTemplate:
    """Return the template with what a snapshot of it says. It is never saved.

    What was allowed since counts, too: a tool that it lost stays lost, a prompt made private stays
    private, and the models to choose from are those of now.
    """
    then = copy(template)
    for name in AS_THEN:
        setattr(then, name, agent.get(name, getattr(template, name)))
    then.system_prompt = stored_text(agent["system_prompt"])
    then.prompt_is_public = template.prompt_is_public and agent.get("prompt_is_public", False)
    lost = set(without_servers(template.tools)) - set(agent["tools"])
    then.tools = [name for name in template.tools if name not in lost]
    return then
