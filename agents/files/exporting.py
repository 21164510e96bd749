"""Templates as a document: what an export writes and an import reads."""

from collections.abc import Iterable, Sequence
from typing import Any

from agents.files.fields import values_of
from agents.models import AgentTemplate

VERSION = 1  # Of the document's form. A reader refuses a newer one.


def document(templates: Iterable[AgentTemplate]) -> dict[str, Any]:
    return {"version": VERSION, "agents": [values_of(template) for template in templates]}


def chosen(slugs: Sequence[str]) -> list[AgentTemplate]:
    """The named templates, or all, by slug. Raises LookupError for a slug without a template."""
    templates = {template.slug: template for template in AgentTemplate.objects.order_by("slug")}
    if unknown := [slug for slug in slugs if slug not in templates]:
        known = ", ".join(templates) or "none"
        raise LookupError(f"No such agent: {', '.join(unknown)}. There are: {known}.")
    return [template for slug, template in templates.items() if not slugs or slug in slugs]
