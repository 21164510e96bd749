"""Where it is read what another agent did for a tool call."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from agents.networks.delegates import PREFIX
from history.models import Generation


def address(generation: Generation | None, call: Mapping[str, Any]) -> str:
    """Empty for a call that asks nobody."""
    if generation is None or not call["name"].startswith(PREFIX):
        return ""
    where = reverse("delegation", args=[generation.conversation_id, generation.pk])
    return f"{where}?{urlencode({'call': call['id']})}"
