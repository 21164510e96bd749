"""Links to what another agent did for a tool call."""

from collections.abc import Mapping, Set
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from agents.networks.delegates import PREFIX
from chatapp.transcript.tool_cards import State, ToolCard
from history.models import Generation


def leading(
    card: ToolCard,
    generation: Generation | None,
    call: Mapping[str, Any],
    hindered: Set[str] = frozenset(),
) -> ToolCard:
    """Add to the card the link to what the asked agent did; `hindered` are calls as
    `hindered_in` finds them.
    """
    is_hindered = card.state is State.DONE and call["id"] in hindered
    state = State.HINDERED if is_hindered else card.state
    return replace(card, delegated=address(generation, call), state=state)


def address(generation: Generation | None, call: Mapping[str, Any]) -> str:
    """Return the link; empty for a call that delegates nothing."""
    if generation is None or not call["name"].startswith(PREFIX):
        return ""
    where = reverse("delegation", args=[generation.conversation_id, generation.pk])
    return f"{where}?{urlencode({'call': call['id']})}"
