"""What a file contains: templates and networks, with their fields and allowed values."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from django.db import models

from agents.models import AgentTemplate
from agents.networks.models import Network
from history.core.settings.table import BY_NAME
from history.core.words.storable import storing_fault

Row: TypeAlias = AgentTemplate | Network
PARTS: Mapping[str, type[Row]] = {"agents": AgentTemplate, "networks": Network}
VERSION = 1  # The version of the file format. Readers refuse newer ones.
LARGEST = 1e15  # The greatest number; this also excludes infinity, which JSON lacks.


def carried(model: type[Row]) -> dict[str, models.Field]:
    """Return the editable fields by name, except the version, because saving counts versions."""
    fields = (field for field in model._meta.concrete_fields if field.editable)
    return {field.name: field for field in fields if not field.primary_key}


def values_of(row: Row) -> dict[str, Any]:
    """Return a row's carried fields as JSON values; settings are in the order of their table."""
    values = {name: getattr(row, name) for name in carried(type(row))}
    if (own_settings := values.get("history_settings")) is None:
        return values
    ranked = sorted(own_settings, key=[*BY_NAME, *own_settings].index)
    return values | {"history_settings": {name: own_settings[name] for name in ranked}}


def fault(field: models.Field, value: object) -> str:
    """Say why a field cannot have a value; empty if its type allows the value.

    Django would turn anything into a text, but `slug: no` is the word false in YAML.
    """
    if value is None and field.null:
        return ""
    return _kind_fault(field, value) or storing_fault(value)


def _kind_fault(field: models.Field, value: object) -> str:
    match field:
        case models.BooleanField():
            return "" if isinstance(value, bool) else "must be true or false"
        case models.FloatField():
            return "" if _is_number(value) else "must be a number"
        case models.IntegerField():
            whole = _is_number(value) and isinstance(value, int)
            return "" if whole else "must be a whole number"
        case models.JSONField():
            return _json_fault(type(field.get_default()), value)
        case models.CharField() | models.TextField():
            return "" if isinstance(value, str) else "must be text; put it in quotes"
    raise NotImplementedError(f"{field.name}: no file can hold a {type(field).__name__}")


def _is_number(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and -LARGEST <= cast(float, value) <= LARGEST


def _json_fault(kind: type, value: object) -> str:
    if not isinstance(value, kind):
        return "must be a list" if kind is list else "must be an object"
    try:
        is_json = json.loads(json.dumps(value, allow_nan=False)) == value
    except (TypeError, ValueError, RecursionError):
        is_json = False
    return "" if is_json else "may only contain text, numbers, true and false; put dates in quotes"


def document(rows: Iterable[Row]) -> dict[str, Any]:
    """Make a document of agents and networks; omit the list of networks if there are none."""
    all_rows = list(rows)
    parts = {
        part: [values_of(row) for row in all_rows if isinstance(row, model)]
        for part, model in PARTS.items()
    }
    return {"version": VERSION, **{p: v for p, v in parts.items() if v or p == "agents"}}


def rows_of(slugs: Sequence[str]) -> list[Row]:
    """Return the agents and networks of these slugs, or all. Raise LookupError for an unknown
    slug.
    """
    rows: list[Row] = [
        *AgentTemplate.objects.order_by("slug"),
        *Network.objects.order_by("slug"),
    ]
    known_slugs = dict.fromkeys(row.slug for row in rows)
    if unknown := [slug for slug in slugs if slug not in known_slugs]:
        there_are = ", ".join(known_slugs) or "none"
        raise LookupError(f"Unknown agents: {', '.join(unknown)}. Available: {there_are}.")
    return [row for row in rows if not slugs or row.slug in slugs]
