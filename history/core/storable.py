"""Find characters that no database stores: NUL (PostgreSQL) and half of a surrogate pair."""

from collections.abc import Iterator, Mapping


def text_fault(value: object) -> str:
    """Say why no database can store a text in this value; empty if all are fine."""
    return next(filter(None, map(_fault, _texts(value))), "")


def storable(text: str) -> str:
    """Replace such characters in what a model or a tool wrote by a visible one."""
    if text.isascii() and "\0" not in text:
        return text
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for key, inner in value.items():
                yield from (*_texts(key), *_texts(inner))
        case list():
            for inner in value:
                yield from _texts(inner)


def _fault(text: str) -> str:
    if "\x00" in text:
        return "contains a NUL character; remove it"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "contains an invalid character; remove it"
    return ""
