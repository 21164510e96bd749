"""Agents to choose from on the admin's pages."""

from collections.abc import Iterable

from agents.models import AgentTemplate

GONE = "no such agent any more"


def agent_choices(stored: Iterable[str], without: str = "") -> list[tuple[str, str]]:
    """Those that are stored first, in their order. One that is gone stays, to be taken out."""
    named = dict(AgentTemplate.objects.values_list("slug", "name"))
    choices = dict.fromkeys(filter(None, stored), GONE) | named
    return [(slug, f"{words} ({slug})") for slug, words in choices.items() if slug != without]
