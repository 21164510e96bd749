"""Remove parameters from an address, because the chat has settings of its own instead."""

from collections.abc import Collection, Iterable
from urllib.parse import parse_qsl, urlencode

from history.core.settings.layers import url_layer
from history.core.settings.table import BY_NAME


def overriding(query: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the parameters that set one of these settings: they would outrank the chat's own."""
    values = url_layer(query).values
    return tuple(BY_NAME[name].url or "" for name in names if name in values)


def without(query: str, parameters: Collection[str]) -> str:
    """Return the address's query without these parameters."""
    if not parameters:
        return query
    pairs = parse_qsl(query, keep_blank_values=True)
    return urlencode([(name, value) for name, value in pairs if name not in parameters])
