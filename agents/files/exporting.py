"""Templates and networks as a document: what an export writes and an import reads."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agents.files.fields import Row, values_of
from agents.models import AgentTemplate, Network

VERSION = 1  # Of the document's form. A reader refuses a newer one.


PARTS: Mapping[str, type[Row]] = {"agents": AgentTemplate, "networks": Network}


def document(rows: Iterable[Row]) -> dict[str, Any]:
    """Without networks there is no word of them."""
    given = list(rows)
    found = {
        part: [values_of(row) for row in given if isinstance(row, model)]
        for part, model in PARTS.items()
    }
    return {"version": VERSION, **{p: v for p, v in found.items() if v or p == "agents"}}


def chosen(slugs: Sequence[str]) -> list[Row]:
    """The agents and networks of these slugs, or all. Raises LookupError for a slug of neither."""
    rows: list[Row] = [
        *AgentTemplate.objects.order_by("slug"),
        *Network.objects.order_by("slug"),
    ]
    known = dict.fromkeys(row.slug for row in rows)
    if unknown := [slug for slug in slugs if slug not in known]:
        there_are = ", ".join(known) or "none"
        raise LookupError(f"No such agent: {', '.join(unknown)}. There are: {there_are}.")
    return [row for row in rows if not slugs or row.slug in slugs]
