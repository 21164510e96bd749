"""Restore the agent as it was when a request was made, to ask it once more."""

from copy import copy

from agents.mcp.offering import without_servers
from agents.models import AgentTemplate
from agents.snapshot import AgentSnapshot
from history.services.texts import stored_text

AS_THEN = ("version", "temperature", "output_limit", "history_settings", "context")


def template_then(template: AgentTemplate, agent: AgentSnapshot) -> AgentTemplate:
    """Return the template with the values of its snapshot. It is never saved.

    Present permissions count, too: a tool that the template lost stays lost, a prompt that was made
    private stays private, and the models to choose from are the present ones.
    """
    then = copy(template)
    for name in AS_THEN:
        setattr(then, name, getattr(agent, name))
    then.system_prompt = stored_text(agent.system_prompt)
    then.prompt_is_public = template.prompt_is_public and agent.prompt_is_public
    lost = set(without_servers(template.tools)) - set(agent.tools)
    then.tools = [name for name in template.tools if name not in lost]
    return then
