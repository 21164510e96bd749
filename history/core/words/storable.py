"""Find values that no database stores: NUL (PostgreSQL), half of a surrogate pair, infinite
numbers.
"""

from collections.abc import Iterator, Mapping
from math import isfinite


def storing_fault(value: object) -> str:
    """Say why no database can store something in this value; empty if it can be stored."""
    return next(filter(None, map(_fault, _leaves(value))), "")


def storable(text: str) -> str:
    """In a text of a model or tool, replace characters that no database stores by a visible one."""
    if text.isascii() and "\0" not in text:
        return text
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _leaves(value: object) -> Iterator[str | float]:
    match value:
        case str() | float():
            yield value
        case Mapping():
            for key, inner in value.items():
                yield from (*_leaves(key), *_leaves(inner))
        case list():
            for inner in value:
                yield from _leaves(inner)


def _fault(leaf: str | float) -> str:
    if isinstance(leaf, float):
        return "" if isfinite(leaf) else "contains a number that is not finite; remove it"
    if "\x00" in leaf:
        return "contains a NUL character; remove it"
    try:
        leaf.encode()
    except UnicodeEncodeError:
        return "contains an invalid character; remove it"
    return ""
