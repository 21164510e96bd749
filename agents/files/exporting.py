"""Templates and networks as a document, the format of exports and imports."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agents.files.fields import Row, values_of
from agents.models import AgentTemplate
from agents.networks.models import Network

VERSION = 1  # The document's format. A reader refuses a newer one.


PARTS: Mapping[str, type[Row]] = {"agents": AgentTemplate, "networks": Network}


def document(rows: Iterable[Row]) -> dict[str, Any]:
    """Make a document; without networks it does not mention any."""
    given = list(rows)
    found = {
        part: [values_of(row) for row in given if isinstance(row, model)]
        for part, model in PARTS.items()
    }
    return {"version": VERSION, **{p: v for p, v in found.items() if v or p == "agents"}}


def chosen(slugs: Sequence[str]) -> list[Row]:
    """Return the agents and networks of these slugs, or all. Raise LookupError for an unknown
    slug.
    """
    rows: list[Row] = [
        *AgentTemplate.objects.order_by("slug"),
        *Network.objects.order_by("slug"),
    ]
    known = dict.fromkeys(row.slug for row in rows)
    if unknown := [slug for slug in slugs if slug not in known]:
        there_are = ", ".join(known) or "none"
        raise LookupError(f"Unknown agents: {', '.join(unknown)}. Available: {there_are}.")
    return [row for row in rows if not slugs or row.slug in slugs]
